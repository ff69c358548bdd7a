"""Controllers of a helicopter that sees by optic flow: one file each, to be read and changed.

A controller is called every 16 ms with a `FlowView` and answers with a `CoaxialCommand`.
`examples/flow` shows how to fly one of your own.
"""
