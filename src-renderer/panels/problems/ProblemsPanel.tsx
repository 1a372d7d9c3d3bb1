/**
 * Everything that is wrong, errors first; a click leads to the node and the field. Below it what is wrong beside the
 * workflow: files of custom tasks, and triggers that hear nothing.
 */

import { CircleAlert, CircleCheck, CircleDashed, FileWarning, TriangleAlert, Zap } from 'lucide-react'
import type { Problem } from '../../../src-engine/model/problem.ts'
import { inList } from '../../forms/field-problem.ts'
import { countOf } from '../../rules/found-once.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { fieldTab } from '../../state/field-tab.ts'
import { showTaskFile } from '../../state/files.ts'
import { beginning, empty, fill } from '../../text/messages.ts'
import { problemWords as words } from '../../text/problem-words.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import styles from './ProblemsPanel.module.css'
import type { ProblemAround } from './problems-around.ts'
import { useProblemsAround } from './use-problems-around.ts'

export function ProblemsPanel() {
  const designer = useDesigner()
  const problems = useDocument((state) => state.problems)
  const nodes = useDocument((state) => state.history.document.nodes)
  const around = useProblemsAround()
  if (problems.length + around.length === 0) {
    const isEmpty = countOf(nodes) === 0
    return (
      <EmptyState
        icon={isEmpty ? CircleDashed : CircleCheck}
        text={isEmpty ? beginning.problems : empty.problems}
        {...(isEmpty ? {} : { tone: 'good' })}
      />
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
      {around.map((problem) => (
        <AroundRow key={problem.key} problem={problem} />
      ))}
    </ul>
  )
}

/** It keeps nothing from running: none of these is an error of the workflow. */
function AroundRow({ problem }: { readonly problem: ProblemAround }) {
  const designer = useDesigner()
  const { at, where, what, hint } = problem
  const toFile = designer.desktop === null ? words.toFile : words.showFile
  return (
    <li data-testid="problem-around">
      <button
        type="button"
        className={styles['row']}
        data-severity="warning"
        data-around
        title={at?.kind === 'file' ? fill(toFile, { path: at.path }) : undefined}
        disabled={at === null}
        onClick={() => void goBeside(designer, at)}
      >
        {at?.kind === 'trigger' ? (
          <Zap size={15} aria-label="warning" />
        ) : (
          <FileWarning size={15} aria-label="warning" />
        )}
        <span className={styles['where']}>{where}</span>
        <span className={styles['what']}>
          <CodeWords text={what} />
        </span>
        <span className={styles['hint']}>
          <CodeWords text={hint} />
        </span>
      </button>
    </li>
  )
}

async function goBeside(designer: Designer, at: ProblemAround['at']): Promise<void> {
  const { view } = designer
  if (at?.kind === 'trigger') {
    view.getState().select({ triggers: [at.id] })
    view.getState().setPanels({ isInspectorOpen: true })
  }
  if (at?.kind === 'file') await showTaskFile(designer, at.path)
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
