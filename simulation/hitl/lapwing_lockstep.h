/* Lockstep: the interface between Lapwing's clock and a flight controller built for a PC.
 *
 *     lapwing sim fly hold-in-wind --firmware ./controller
 *
 * Lapwing starts the program with one end of a stream socket, whose number stands in the
 * environment as LAPWING_LOCKSTEP_FD, and the program has no other clock: it is told to do a tick,
 * does all the work of that tick, and answers. Between two ticks nothing in it may run. So a flight
 * is as fast as the machine, and the same to the bit whenever it is flown again.
 *
 * 1. The program sends HELLO, which says how long a tick of its is and at every how many ticks its
 *    sensor task reads its sensors: at that rate Lapwing supplies them.
 * 2. Lapwing sends ADVANCE with the number of a tick, counted from 0, and the UAVTalk bytes that
 *    have arrived by then. The program has them read by its telemetry, lets its clock go on by one
 *    tick, runs until every task waits, and sends DONE with the same number and the UAVTalk bytes
 *    that it has sent meanwhile. Then the next tick follows, when Lapwing gets to it.
 * 3. The socket's end is the end of the program.
 *
 * Sensors, settings, sticks and motors go by UAVTalk, as on any link (README.md beside this file).
 * All numbers are little-endian. A message is a head and `size` bytes. POSIX only.
 */
#ifndef LAPWING_LOCKSTEP_H
#define LAPWING_LOCKSTEP_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define LAPWING_LOCKSTEP_VERSION 1u
#define LAPWING_LOCKSTEP_LONGEST 65536u /* of the bytes behind a head; the rest goes with the next tick */

enum { LAPWING_HELLO = 1, LAPWING_ADVANCE = 2, LAPWING_DONE = 3 };

struct lapwing_head {
    uint32_t kind;
    uint32_t size; /* of what follows */
    uint64_t tick; /* 0 in HELLO */
};

/* What follows the head of HELLO. */
struct lapwing_hello {
    uint32_t version;      /* LAPWING_LOCKSTEP_VERSION */
    uint32_t tick_us;      /* a multiple of 1000, at most 20000 */
    uint32_t sensor_ticks; /* the sensor task runs at every so many ticks, 1 or more */
    uint32_t reserved;     /* 0 */
};

/* All of `size` bytes out or in; 0, or -1 at the end of the socket. */
static inline int lapwing_send(int fd, const void *data, size_t size)
{
    const char *next = (const char *)data;
    while (size > 0) {
        ssize_t done = write(fd, next, size);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return -1;
        }
        next += done;
        size -= (size_t)done;
    }
    return 0;
}

static inline int lapwing_receive(int fd, void *data, size_t size)
{
    char *next = (char *)data;
    while (size > 0) {
        ssize_t done = read(fd, next, size);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return -1;
        }
        next += done;
        size -= (size_t)done;
    }
    return 0;
}

/* Take the socket over and say hello; the socket, or -1 where nobody asked for lockstep. */
static inline int lapwing_begin(uint32_t tick_us, uint32_t sensor_ticks)
{
    const char *number = getenv("LAPWING_LOCKSTEP_FD");
    struct lapwing_head head = { LAPWING_HELLO, sizeof(struct lapwing_hello), 0 };
    struct lapwing_hello hello = { LAPWING_LOCKSTEP_VERSION, tick_us, sensor_ticks, 0 };
    int fd;

    if (number == NULL) {
        return -1;
    }
    fd = atoi(number);
    if (lapwing_send(fd, &head, sizeof head) || lapwing_send(fd, &hello, sizeof hello)) {
        return -1;
    }
    return fd;
}

/* Wait for the next tick. `data` takes LAPWING_LOCKSTEP_LONGEST bytes; how many came, -1 at the end. */
static inline long lapwing_next_tick(int fd, uint64_t *tick, void *data)
{
    struct lapwing_head head;

    if (lapwing_receive(fd, &head, sizeof head) || head.kind != LAPWING_ADVANCE
        || head.size > LAPWING_LOCKSTEP_LONGEST || lapwing_receive(fd, data, head.size)) {
        return -1;
    }
    *tick = head.tick;
    return (long)head.size;
}

/* Answer: this tick's work is done, and these bytes were sent meanwhile. 0, or -1 at the end. */
static inline int lapwing_done(int fd, uint64_t tick, const void *data, uint32_t size)
{
    struct lapwing_head head = { LAPWING_DONE, size, tick };

    return lapwing_send(fd, &head, sizeof head) || lapwing_send(fd, data, size) ? -1 : 0;
}

#endif
