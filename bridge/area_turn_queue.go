package bridge

import (
	"tenet/bridge/engine"
	"tenet/models/turn"
)

// queueMachine is core's desk closed with a person who writes at any time.
var queueMachine = engine.Machine[turn.Queue, turn.QueueOp, turn.QueueOut]{Step: turn.StepQueue, Ops: turn.QueueOps}
