/** Everything that is wrong, errors first; a click leads to the node and the field. */

import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import type { Problem } from '../../../src-engine/model/problem.ts'
import { inList } from '../../forms/field-problem.ts'
import { countOf } from '../../rules/found-once.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { fieldTab } from '../../state/field-tab.ts'
import { beginning, empty } from '../../text/messages.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import styles from './ProblemsPanel.module.css'

export function ProblemsPanel() {
  const designer = useDesigner()
  const problems = useDocument((state) => state.problems)
  const nodes = useDocument((state) => state.history.document.nodes)
  if (problems.length === 0) {
    const isEmpty = countOf(nodes) === 0
    const Icon = isEmpty ? CircleDashed : CircleCheck
    return (
      <p className={styles['none']}>
        <Icon size={16} aria-hidden /> {isEmpty ? beginning.problems : empty.problems}
      </p>
    )
  }
  return (
    <ul className={styles['list']} data-testid="problems" aria-label="Problems">
      {problems.map((problem, index) => {
        const node = problem.nodeId === null ? undefined : nodes[problem.nodeId]
        const title =
          node === undefined ? 'Workflow' : (node.title ?? designer.specs.get(node.kind)?.title ?? node.kind)
        const { where, what } = inList(problem.message, title)
        const Icon = problem.severity === 'error' ? CircleAlert : TriangleAlert
        return (
          <li key={`${problem.code}:${problem.nodeId}:${problem.field}:${index}`}>
            <button
              type="button"
              className={styles['row']}
              data-severity={problem.severity}
              onClick={() => goTo(designer, problem)}
            >
              <Icon size={15} aria-label={problem.severity} />
              <span className={styles['where']}>{where}</span>
              <span className={styles['what']}>
                <CodeWords text={what} />
              </span>
              <span className={styles['hint']}>
                <CodeWords text={problem.hint} />
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function goTo(designer: Designer, problem: Problem): void {
  const { view, canvas } = designer
  if (problem.nodeId !== null) {
    view.getState().select({ nodes: [problem.nodeId] })
    // The keyboard goes to the field when there is one.
    if (problem.field === null) canvas.current?.focusNode(problem.nodeId)
    else canvas.current?.reveal(problem.nodeId)
  } else if (problem.edgeId !== null) view.getState().select({ edges: [problem.edgeId] })
  else view.getState().select({ triggers: triggersOf(problem.field) })
  view.getState().setPanels({ isInspectorOpen: true, inspectorTab: fieldTab(problem.field) })
  if (problem.field !== null) view.getState().wishField(problem.field)
}

/** The trigger whose field it is: `triggers.morning.parameters.expression`. */
function triggersOf(field: string | null): readonly string[] {
  const [part, id] = field?.split('.') ?? []
  return part === 'triggers' && id !== undefined ? [id] : []
}
