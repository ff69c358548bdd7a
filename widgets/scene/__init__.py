"""A view of the aircraft in space, painted with an ordinary painter: no OpenGL is needed."""
