/**
 * Whoever has a new run on the canvas and goes to a step wants to know what the run did there: the first step that is
 * chosen since shows its data, unless something else of a step was asked for. Then what is looked at stays.
 */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Designer } from './designer.ts'
import { shownModel } from './runs-store.ts'

/** Follows what is selected. */
export function startStepLook({ view, runs }: Designer): void {
  view.subscribe(({ selection, runLook, setPanels }, before) => {
    if (runLook !== 'due' || selection === before.selection) return
    const [node, ...others] = selection.nodes
    const { current } = runs.getState()
    if (node === undefined || others.length > 0 || current === null) return
    // It is the chosen one since before the run.
    if (before.selection.nodes.join() === node || !hasRun(shownModel(current), node)) return
    setPanels({ inspectorTab: 'run' })
    view.setState({ runLook: 'taken' })
  })
}

/** Whoever goes into a step by key wants to write: only who asked for the run's data by themselves stays there. */
export function openToWrite({ view }: Pick<Designer, 'view'>): void {
  const { runLook, setPanels } = view.getState()
  setPanels({
    isInspectorOpen: true,
    ...(runLook === 'taken' ? { inspectorTab: 'parameters' as const } : {}),
  })
}

/** What the run hasn't come to has nothing to show: it is there to be written. */
const hasRun = ({ nodes }: ReturnType<typeof shownModel>, node: NodeId): boolean => nodes.has(node)
