/** Run, cancel, and stepping through what happened. */

import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { Designer } from '../../state/designer.ts'
import { attempt } from '../../state/designer.ts'
import { leaveRun, startRun } from '../../state/follow-runs.ts'
import { isUnderWay } from '../../state/runs-store.ts'
import { isReadOnly } from '../../state/selectors.ts'
import { commandsOf } from './app-command.ts'

const timelineOf = (designer: Designer) => designer.runs.getState().current?.timeline ?? null

export const runCommands = commandsOf('Run', [
  {
    id: 'run.start',
    title: 'Run',
    isEnabled: (designer) => designer.document.getState().isOpen && !isReadOnly(designer),
    run: (designer) => begin(designer),
  },
  {
    id: 'run.cancel',
    title: 'Cancel run',
    isEnabled: (designer) => isUnderWay(designer.runs.getState().current),
    run: (designer) => void cancel(designer),
  },
  {
    id: 'run.close',
    title: 'Back to editing',
    isEnabled: (designer) => designer.runs.getState().current !== null,
    run: leaveRun,
  },
  {
    id: 'run.previousEvent',
    title: 'Previous event',
    scope: 'canvas',
    isEnabled: (designer) => (timelineOf(designer)?.position ?? 0) > 0,
    run: (designer) => designer.runs.getState().movePlayhead((timelineOf(designer)?.position ?? 1) - 1),
  },
  {
    id: 'run.nextEvent',
    title: 'Next event',
    scope: 'canvas',
    isEnabled: (designer) => timelineOf(designer) !== null,
    run: (designer) => designer.runs.getState().movePlayhead((timelineOf(designer)?.position ?? 0) + 1),
  },
])

/** Whether a workflow asks for input before it starts. */
function asksForInput(designer: Designer): boolean {
  const properties = designer.document.getState().history.document.input?.['properties']
  return isJsonObject(properties) && Object.keys(properties).length > 0
}

function begin(designer: Designer): void {
  const { view, document } = designer
  const errors = document.getState().problems.filter((problem) => problem.severity === 'error')
  const [first] = errors
  if (first !== undefined) {
    view.getState().setPanels({ isBottomOpen: true, bottomTab: 'problems' })
    const more = errors.length === 1 ? '' : ` And ${errors.length - 1} more.`
    view.getState().toast({ tone: 'bad', message: `${first.message}${more}`, hint: first.hint })
    return
  }
  if (Object.keys(document.getState().history.document.nodes).length === 0) {
    view.getState().toast({
      tone: 'neutral',
      message: 'There is nothing to run yet.',
      hint: 'Drag a task onto the canvas first.',
    })
    return
  }
  if (asksForInput(designer)) view.getState().setDialog('start')
  else void attempt(designer, () => startRun(designer, {}))
}

async function cancel(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  if (current === null) return
  await attempt(designer, () => designer.connection.call('runs.cancel', { runId: current.runId }))
  designer.view.getState().announce('Cancel requested.')
}
