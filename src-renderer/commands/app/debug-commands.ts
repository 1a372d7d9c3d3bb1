/** Breakpoints, steps, and trials of a step or from an instant. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { asksForInput, mayRun } from '../../state/begin-run.ts'
import { leftAlone, mayReadCrash } from '../../state/crash.ts'
import { clearBreakpoints, runTo, runToTryOn, toggleBreakpoints } from '../../state/debugging.ts'
import type { Designer } from '../../state/designer.ts'
import { attempt } from '../../state/designer.ts'
import { canEdit } from '../../state/selectors.ts'
import { steerRun } from '../../state/steer-run.ts'
import { isStandingStill } from '../../status/wait-words.ts'
import { debugWords as words } from '../../text/debug-words.ts'
import { commandsOf } from './app-command.ts'

export const debugCommands = commandsOf('Run', [
  {
    id: 'debug.toggle',
    title: 'Set or clear a breakpoint',
    scope: 'canvas',
    isEnabled: (designer) => selected(designer).length > 0,
    run: (designer) => toggleBreakpoints(designer, selected(designer)),
  },
  {
    id: 'debug.condition',
    title: 'Stop under a condition …',
    scope: 'canvas',
    isEnabled: (designer) => only(designer) !== null,
    run: (designer) => {
      designer.breakpoints.getState().ask(only(designer))
      designer.view.getState().setDialog('breakpoint')
    },
  },
  {
    id: 'debug.list',
    title: 'Breakpoints …',
    isEnabled: ({ document }) => document.getState().isOpen,
    run: (designer) => designer.view.getState().setDialog('breakpoints'),
  },
  {
    id: 'debug.clear',
    title: 'Clear all breakpoints',
    isEnabled: ({ breakpoints, document }) =>
      breakpoints.getState().byWorkflow[document.getState().history.document.id] !== undefined,
    run: clearBreakpoints,
  },
  {
    id: 'debug.step',
    title: 'Go on by one step',
    isEnabled: isStopped,
    run: (designer) => void step(designer),
  },
  {
    id: 'debug.runTo',
    title: 'Run to the selected step',
    isEnabled: (designer) => only(designer) !== null && canEdit(designer),
    run: (designer) => void runToSelected(designer),
  },
  {
    id: 'debug.runOnly',
    title: 'Run only the selected step …',
    isEnabled: (designer) => only(designer) !== null && canEdit(designer),
    run: (designer) => void tryOnly(designer),
  },
  {
    id: 'debug.fork',
    title: 'Fork this run …',
    isEnabled: ({ runs }) => {
      const { current } = runs.getState()
      return current !== null && current.pulled === null && current.live.replay.run !== null
    },
    run: (designer) => designer.view.getState().setDialog('fork'),
  },
  {
    id: 'run.crash',
    title: 'Crash its worker …',
    // Of a cluster's run it says why not.
    isEnabled: ({ runs }) => mayReadCrash(runs.getState()) || leftAlone(runs.getState()) !== null,
    run: (designer) => designer.view.getState().setDialog('crash'),
  },
])

function selected({ view, document }: Designer): readonly NodeId[] {
  const { isOpen, history } = document.getState()
  const { nodes } = view.getState().selection
  return isOpen ? nodes.map(nodeId).filter((id) => history.document.nodes[id] !== undefined) : []
}

/** The one step that is selected; null for none or several. */
function only(designer: Designer): NodeId | null {
  const [id, another] = selected(designer)
  return id === undefined || another !== undefined ? null : id
}

function isStopped({ runs }: Designer): boolean {
  const { current } = runs.getState()
  const run = current?.live.replay.run ?? null
  return run !== null && current?.pulled === null && isStandingStill(run)
}

async function step(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  if (current !== null) await steerRun(designer, { runId: current.runId, action: 'step', nodeId: null })
}

async function runToSelected(designer: Designer): Promise<void> {
  const id = only(designer)
  if (id === null || !(await mayRun(designer))) return
  if (!asksForInput(designer)) {
    await attempt(designer, () => runTo(designer, id, {}))
    return
  }
  designer.breakpoints.getState().ask(id)
  designer.view.getState().setDialog('run-to')
}

async function tryOnly(designer: Designer): Promise<void> {
  if (!(await mayRun(designer))) return
  if (runToTryOn(designer) === null) {
    designer.view.getState().toast({ tone: 'neutral', message: words.noData, hint: '' })
    return
  }
  designer.breakpoints.getState().ask(only(designer))
  designer.view.getState().setDialog('try-step')
}
