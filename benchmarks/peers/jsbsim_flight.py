"""JSBSim: a body without aerodynamics above a planet that does not turn and is nearly flat.

It has no rotors that could fly the quadrotor, so it flies the brick only.
"""

import math
import tempfile
from pathlib import Path

import jsbsim
from scipy.spatial.transform import Rotation

from benchmarks.peers import manoeuvre as m
from benchmarks.peers.manoeuvre import FlownManoeuvre

_FOOT_M = 0.3048
_POUND_KG = 0.45359237
_SLUG_FT2_KGM2 = 1.3558179483314004
# So large that gravity has one direction and one size over the flight.
_RADIUS_M = 1e9
_PLANET = """<?xml version="1.0"?>
<planet name="flat">
  <equatorial_radius unit="M">{radius}</equatorial_radius>
  <polar_radius unit="M">{radius}</polar_radius>
  <GM unit="M3/SEC2">{gm}</GM>
  <J2>0.0</J2>
  <rotation_rate unit="RAD/SEC">0.0</rotation_rate>
</planet>
"""
_BODY = """<?xml version="1.0"?>
<fdm_config name="brick" version="2.0">
  <metrics>
    <wingarea unit="M2">1</wingarea><wingspan unit="M">1</wingspan><chord unit="M">1</chord>
    <location name="AERORP" unit="M"><x>0</x><y>0</y><z>0</z></location>
  </metrics>
  <mass_balance>
    <ixx unit="SLUG*FT2">{ixx}</ixx><iyy unit="SLUG*FT2">{iyy}</iyy><izz unit="SLUG*FT2">{izz}</izz>
    <emptywt unit="LBS">{pounds}</emptywt>
    <location name="CG" unit="M"><x>0</x><y>0</y><z>0</z></location>
  </mass_balance>
  <ground_reactions/><propulsion/><flight_control name="none"/><aerodynamics/>
</fdm_config>
"""


class _Flight:
    """Heading east: body forward, left, up are the world's axes at the start."""

    def __init__(self) -> None:
        self._fdm = jsbsim.FGFDMExec(None)
        self._fdm.set_debug_level(0)
        with tempfile.TemporaryDirectory() as folder:
            self._load(Path(folder))
        self._fdm.set_dt(m.STEP_S)
        p, q, r = m.BRICK_RATES_RADPS
        east, north, up = m.BRICK_VELOCITY_MPS
        start = {
            "h-sl-ft": m.BRICK_START_M[2] / _FOOT_M,
            "lat-geod-deg": 0.0,
            "long-gc-deg": 0.0,
            "psi-true-deg": 90.0,
            "vn-fps": north / _FOOT_M,
            "ve-fps": east / _FOOT_M,
            "vd-fps": -up / _FOOT_M,
            "p-rad_sec": p,
            "q-rad_sec": -q,
            "r-rad_sec": -r,
        }
        for name, value in start.items():
            self._fdm[f"ic/{name}"] = value
        self._fdm.run_ic()

    def _load(self, folder: Path) -> None:
        planet = folder / "flat.xml"
        planet.write_text(_PLANET.format(radius=_RADIUS_M, gm=m.GRAVITY * _RADIUS_M**2))
        self._fdm.load_planet(str(planet), False)
        (folder / "brick").mkdir()
        inertia = dict(zip(("ixx", "iyy", "izz"), m.BRICK_KGM2, strict=True))
        text = _BODY.format(
            pounds=m.BRICK_KG / _POUND_KG,
            **{name: value / _SLUG_FT2_KGM2 for name, value in inertia.items()},
        )
        (folder / "brick" / "brick.xml").write_text(text)
        for set_path in (
            self._fdm.set_aircraft_path,
            self._fdm.set_engine_path,
            self._fdm.set_systems_path,
        ):
            set_path(str(folder))
        self._fdm.load_model("brick")

    def fall(self, _number: int) -> None:
        self._fdm.run()

    def state(self) -> tuple[object, object]:
        fdm = self._fdm
        angles = [fdm[f"attitude/{name}-rad"] for name in ("psi", "theta", "phi")]
        position = (
            math.radians(fdm["position/long-gc-deg"]) * _RADIUS_M,
            math.radians(fdm["position/lat-geod-deg"]) * _RADIUS_M,
            fdm["position/h-sl-ft"] * _FOOT_M,
        )
        yaw, pitch, roll = angles
        attitude = Rotation.from_euler("ZYX", [math.pi / 2 - yaw, -pitch, roll])
        x, y, z, w = attitude.as_quat()
        return position, (w, x, y, z)


def brick() -> FlownManoeuvre:
    """Thrown and tumbling."""
    flight = _Flight()
    return m.fly(flight.fall, flight.state, m.BRICK_S)


def speed() -> float:
    """Of the brick; JSBSim works out the atmosphere and much else for it at every step."""
    flight = _Flight()

    def advance(steps: int) -> None:
        for number in range(steps):
            flight.fall(number)

    return m.steps_per_s(advance)


if __name__ == "__main__":
    m.print_flown(speed(), brick=brick())
