/** A group of nodes that is undone together: its title, its order, its nodes. */

import { Ungroup, X } from 'lucide-react'
import { useId } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { SagaScope } from '../../../src-engine/model/workflow.ts'
import { changeScope, leaveScope } from '../../commands/saga-scopes.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { fill } from '../../text/messages.ts'
import { scopes as words } from '../../text/saga-words.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './Inspector.module.css'

type Order = NonNullable<SagaScope['order']>

const orders = Object.keys(words.orders) as readonly Order[]

export function ScopeInspector({ id }: { readonly id: string }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const field = useId()
  const scope = useShownDocument((document) => document.sagaScopes?.[id])
  if (scope === undefined) return null
  const { edit, endGesture } = designer.document.getState()
  const order = scope.order ?? 'reverse'
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
        <div className={styles['field']}>
          <label htmlFor={`${field}-order`}>{words.order}</label>
          <select
            id={`${field}-order`}
            className={controls['field']}
            data-testid="scope-order"
            disabled={isReadOnly}
            value={order}
            onChange={(event) => {
              edit(changeScope(id, { order: event.currentTarget.value as Order }))
              endGesture()
            }}
          >
            {orders.map((one) => (
              <option key={one} value={one}>
                {words.orders[one].title}
              </option>
            ))}
          </select>
          <p>{words.orders[order].hint}</p>
        </div>
        <Members nodes={scope.nodes} isReadOnly={isReadOnly} />
      </div>
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
