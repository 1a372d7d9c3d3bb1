/** A group of nodes that is undone together: its title, its order, what becomes of a failure, its nodes. */

import { Ungroup, X } from 'lucide-react'
import { useId } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { SagaScope, UndoFailure } from '../../../src-engine/model/workflow.ts'
import { changeScope, leaveScope } from '../../commands/saga-scopes.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { fill } from '../../text/messages.ts'
import { scopes as words } from '../../text/saga-words.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './Inspector.module.css'

const orders = Object.keys(words.orders) as readonly NonNullable<SagaScope['order']>[]
const failures = Object.keys(words.failures) as readonly UndoFailure[]

export function ScopeInspector({ id }: { readonly id: string }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const field = useId()
  const scope = useShownDocument((document) => document.sagaScopes?.[id])
  if (scope === undefined) return null
  const { edit, endGesture } = designer.document.getState()
  const change = (changes: Pick<SagaScope, 'order' | 'onFailure'>): void => {
    edit(changeScope(id, changes))
    endGesture()
  }
  return (
    <div className={styles['scroll']}>
      <div className={styles['section']} data-testid="scope-inspector">
        <div className={styles['titleRow']}>
          <h2>{words.title}</h2>
          {!isReadOnly && <CommandButton id="edit.ungroup" icon={Ungroup} testId="ungroup-button" />}
        </div>
        <p className={styles['lead']}>{words.lead}</p>
        <div className={styles['field']}>
          <label htmlFor={`${field}-title`}>{words.name}</label>
          <input
            id={`${field}-title`}
            className={controls['field']}
            data-testid="scope-title"
            readOnly={isReadOnly}
            placeholder={words.untitled}
            value={scope.title ?? ''}
            onChange={(event) => edit(changeScope(id, { title: event.currentTarget.value }))}
            onBlur={endGesture}
          />
        </div>
        <Choice
          id={`${field}-order`}
          label={words.order}
          testId="scope-order"
          names={orders}
          choices={words.orders}
          value={scope.order ?? 'reverse'}
          isReadOnly={isReadOnly}
          onChange={(order) => change({ order })}
        />
        <Choice
          id={`${field}-failure`}
          label={words.failure}
          testId="scope-failure"
          names={failures}
          choices={words.failures}
          value={scope.onFailure ?? 'ask'}
          isReadOnly={isReadOnly}
          onChange={(onFailure) => change({ onFailure })}
        />
        <Members nodes={scope.nodes} isReadOnly={isReadOnly} />
      </div>
    </div>
  )
}

function Choice<Name extends string>(props: {
  readonly id: string
  readonly label: string
  readonly testId: string
  readonly names: readonly Name[]
  readonly choices: Readonly<Record<Name, { readonly title: string; readonly hint: string }>>
  readonly value: Name
  readonly isReadOnly: boolean
  readonly onChange: (value: Name) => void
}) {
  const { id, label, testId, names, choices, value, isReadOnly, onChange } = props
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={controls['field']}
        data-testid={testId}
        disabled={isReadOnly}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as Name)}
      >
        {names.map((one) => (
          <option key={one} value={one}>
            {choices[one].title}
          </option>
        ))}
      </select>
      <p>{choices[value].hint}</p>
    </div>
  )
}

function Members({ nodes, isReadOnly }: { readonly nodes: readonly NodeId[]; readonly isReadOnly: boolean }) {
  const designer = useDesigner()
  const known = useShownDocument((document) => document.nodes)
  const titleOf = (id: NodeId): string => {
    const { title, kind = '' } = known[id] ?? {}
    return title ?? designer.specs.get(kind)?.title ?? id
  }
  const show = (id: NodeId): void => {
    designer.view.getState().select({ nodes: [id] })
    designer.canvas.current?.reveal(id)
  }
  return (
    <div className={styles['field']}>
      <h3>{words.members}</h3>
      <ul className={styles['members']}>
        {nodes.map((id) => (
          <li key={id}>
            <button type="button" onClick={() => show(id)}>
              {titleOf(id)}
            </button>
            {!isReadOnly && (
              <IconButton
                icon={X}
                label={fill(words.takeOut, { title: titleOf(id) })}
                onClick={() => designer.document.getState().edit(leaveScope([id]))}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
