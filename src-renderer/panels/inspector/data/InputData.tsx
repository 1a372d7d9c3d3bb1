/** What a step can read: what arrives, its item, earlier steps, variables, the run; each as a tree to drag from. */

import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import type { NodeId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { reached } from '../../../canvas/reach.ts'
import { outputOf } from '../../../forms/expression-path.ts'
import { usePreview } from '../../../forms/use-preview.ts'
import type { DraggedValue } from '../../../forms/value-drag.ts'
import { useDesigner } from '../../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../../state/selectors.ts'
import { titleOfStep } from '../../../state/step-title.ts'
import { dataWords as words } from '../../../text/data-words.ts'
import controls from '../../../ui/controls.module.css'
import styles from './Data.module.css'
import { ValueTree } from './ValueTree.tsx'

/** Steps before it that are asked for at once: those further away are found by their names in expressions. */
const stepsMax = 24

export function InputData({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const document = useShownDocument()
  const isReadOnly = useReadOnly()
  const [query, setQuery] = useState('')
  const before = useMemo(() => stepsBefore(document, id), [document, id])
  const node = document.nodes[id]
  if (node === undefined) return null
  const onUse = isReadOnly ? null : designer.view.getState().setValueToPlace
  const given = { id, query, onUse }
  const isInBody = node.parent !== undefined
  const { variables = {} } = document
  return (
    <div className={styles['data']} data-testid="input-data">
      <div className={styles['search']}>
        <input
          type="search"
          className={controls['field']}
          placeholder={words.search}
          aria-label={words.search}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        {onUse !== null && <p>{words.hint}</p>}
      </div>
      <Source {...given} title={words.arrives} root="input" isMain />
      {isInBody && <Source {...given} title={words.item} root="item" />}
      {before.map((step) => (
        <Source
          key={step}
          {...given}
          title={titleOfStep(document, designer.specs, step)}
          root={outputOf(step)}
          notRun
        />
      ))}
      {Object.keys(variables).length > 0 && (
        <Section title={words.variables} root="vars">
          <ValueTree label={words.variables} value={variables} root="vars" query={query} onUse={onUse} />
        </Section>
      )}
      <Source {...given} title={words.run} root="run" />
    </div>
  )
}

/** The steps that lead to it, the nearest first. */
function stepsBefore(document: WorkflowDocument, id: NodeId): readonly NodeId[] {
  const around: NodeId[] = [id]
  // What is before the map or loop that it is part of is before it, too.
  for (let at = document.nodes[id]?.parent; at !== undefined; at = document.nodes[at]?.parent) around.push(at)
  return reached(document, around, 'up')
    .filter((step) => !around.includes(step))
    .slice(0, stepsMax)
}

function Section(props: { readonly title: string; readonly root: string; readonly children: ReactNode }) {
  return (
    <section className={styles['source']} data-testid={`source-${props.root}`}>
      <div className={styles['sourceHead']}>
        <h3>{props.title}</h3>
        <code>{props.root}</code>
      </div>
      {props.children}
    </section>
  )
}

/** One of them, as the engine's own evaluator sees it. */
function Source(props: {
  readonly id: NodeId
  readonly title: string
  readonly root: string
  readonly query: string
  readonly isMain?: boolean
  /** A step that has given nothing is told apart from one that gave null. */
  readonly notRun?: boolean
  readonly onUse: ((dragged: DraggedValue) => void) | null
}) {
  const { id, title, root, query, onUse } = props
  const found = usePreview({ text: root, mode: 'expression', nodeId: id }, 0)
  if (found === null) return null
  if (found.kind === 'value')
    return (
      <Section title={title} root={root}>
        <ValueTree label={title} value={found.value} root={root} query={query} onUse={onUse} />
      </Section>
    )
  if (found.kind === 'no-data' && props.isMain !== true && props.notRun !== true) return null
  const text = found.kind === 'problem' ? found.message : props.isMain === true ? words.noData : words.notRun
  return (
    <Section title={title} root={root}>
      <p className={styles['none']}>{text}</p>
    </Section>
  )
}
