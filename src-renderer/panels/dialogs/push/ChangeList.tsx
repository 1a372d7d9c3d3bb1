/** The changes in words: what, where, and each field with what it was and what it is. */

import { Minus, PenLine, Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { VersionChange } from '../../../../src-engine/model/version-changes.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { FieldChange } from '../../../canvas/diff/field-change.ts'
import { fieldChanges } from '../../../canvas/diff/field-change.ts'
import { useDesigner } from '../../../state/context.ts'
import { fieldNames, pushWords as words } from '../../../text/site-words.ts'
import styles from './Push.module.css'
import { edgeWords } from './push-checks.ts'

const icons = { added: Plus, removed: Minus, changed: PenLine }

interface ListProps {
  readonly view: {
    readonly changes: readonly VersionChange[]
    readonly before: WorkflowDocument | null
    readonly after: WorkflowDocument
  }
  /** The node that is looked at. */
  readonly selected: string | null
  readonly onSelect: (id: string | null) => void
}

export function ChangeList(props: ListProps) {
  const { changes } = props.view
  const edges = changes.filter(({ what }) => what === 'edge')
  const others = changes.filter(({ what }) => what !== 'edge')
  return (
    <>
      {others.length > 0 && <Changes changes={others} {...props} testId="push-changes" />}
      {/* Most of them follow from the nodes that came and went. */}
      {edges.length > 0 && (
        <details className={styles['edges']} open={others.length === 0} data-testid="push-edges">
          <summary>{edgeWords(edges)}</summary>
          <Changes changes={edges} {...props} />
        </details>
      )}
    </>
  )
}

function Changes({
  changes,
  testId,
  ...props
}: ListProps & { readonly changes: readonly VersionChange[]; readonly testId?: string }) {
  return (
    <ul className={styles['changes']} data-testid={testId}>
      {changes.map((change) => (
        <Change key={`${change.what} ${change.id}`} change={change} {...props} />
      ))}
    </ul>
  )
}

function Change({ change, view, selected, onSelect }: ListProps & { readonly change: VersionChange }) {
  const { specs } = useDesigner()
  const item = useRef<HTMLLIElement>(null)
  const isSelected = change.what === 'node' && selected === change.id
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const Icon = icons[change.change]
  const title = titleOf(change, view)
  const fields = fieldChanges(change, view, specs)
  const head = (
    <>
      <Icon size={13} aria-hidden />
      <span className="visually-hidden">{`${words[change.change]}: `}</span>
      <b>{title}</b>
    </>
  )
  return (
    <li ref={item} data-mark={change.change} data-selected={isSelected || undefined}>
      {change.what === 'node' ? (
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={() => onSelect(isSelected ? null : change.id)}
        >
          {head}
        </button>
      ) : (
        <p>{head}</p>
      )}
      {fields.map((field) => (
        <Field key={field.path} field={field} />
      ))}
    </li>
  )
}

/** One field with what it was and what it is. */
export function Field({ field: { path, before, after } }: { readonly field: FieldChange }) {
  return (
    <dl>
      {path !== '' && <dt>{path}</dt>}
      <dd data-mark="removed">
        <span className="visually-hidden">Was: </span>
        {before ?? words.usual}
      </dd>
      <dd data-mark="added">
        <span className="visually-hidden">Is: </span>
        {after ?? words.usual}
      </dd>
    </dl>
  )
}

/** Nodes and fields by their names, edges by what they lead from and to. */
function titleOf({ what, id, title }: VersionChange, { before, after }: ListProps['view']): string {
  if (what === 'field') return fieldNames[id] ?? id
  if (what === 'node') return title
  const edge = edgeOf(after, id) ?? (before === null ? undefined : edgeOf(before, id))
  if (edge === undefined) return id
  const nameOf = (node: string): string => nodeTitle(after, node) ?? nodeTitle(before, node) ?? node
  return `${nameOf(edge.from.node)} → ${nameOf(edge.to.node)}`
}

const edgeOf = ({ edges }: WorkflowDocument, id: string) =>
  Object.entries(edges).find(([key]) => key === id)?.[1]

const nodeTitle = (document: WorkflowDocument | null, id: string): string | undefined =>
  Object.entries(document?.nodes ?? {}).find(([key]) => key === id)?.[1].title
