"""3-D scene view: by OpenGL without a window, or by an ordinary painter where there is none."""
