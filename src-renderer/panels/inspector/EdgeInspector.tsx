/** What an edge connects. */

import { useId } from 'react'
import type { EdgeId, NodeId } from '../../../src-engine/model/ids.ts'
import { setUndo } from '../../commands/compensation.ts'
import { labelEdge } from '../../commands/connect.ts'
import { runCommand } from '../../commands/registry.ts'
import { guardOf } from '../../rules/edge-guard.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { titleOfStep } from '../../state/step-title.ts'
import { edges as labels } from '../../text/canvas-words.ts'
import { fill } from '../../text/messages.ts'
import { undo as words } from '../../text/saga-words.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import styles from './Inspector.module.css'

/** The line from a node to the one that undoes it. */
export function UndoEdgeInspector({ of }: { readonly of: NodeId }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const { nodes } = useShownDocument()
  const titleOf = (id: NodeId | undefined): string =>
    id === undefined ? '' : titleOfStep({ nodes }, designer.specs, id)
  const open = (): void => {
    designer.view.getState().select({ nodes: [of] })
    designer.view.getState().setPanels({ inspectorTab: 'undo' })
  }
  const remove = (): void => {
    designer.document.getState().edit(setUndo(of, null))
    designer.view.getState().select({ nodes: [of] })
  }
  return (
    <div className={styles['section']}>
      <h2>{words.line}</h2>
      <p className={styles['lead']}>
        {fill(words.lineText, { of: titleOf(of), by: titleOf(nodes[of]?.compensation?.node) })}
      </p>
      <div className={styles['attempts']}>
        <Button isSmall onClick={open}>
          {words.openForm}
        </Button>
        {!isReadOnly && (
          <Button isSmall kind="danger" onClick={remove}>
            {words.removeLine}
          </Button>
        )}
      </div>
    </div>
  )
}

export function EdgeInspector({ id }: { readonly id: EdgeId }) {
  const designer = useDesigner()
  const document = useShownDocument()
  const isReadOnly = useReadOnly()
  const field = useId()
  const edge = document.edges[id]
  if (edge === undefined) return null
  const guard = guardOf(document, edge)
  const titleOf = (node: NodeId): string => titleOfStep(document, designer.specs, node)
  return (
    <div className={styles['section']}>
      <h2>Edge</h2>
      <dl className={styles['facts']}>
        <dt>From</dt>
        <dd>{`${titleOf(edge.from.node)} · ${edge.from.port}`}</dd>
        <dt>To</dt>
        <dd>{titleOf(edge.to.node)}</dd>
        {guard !== null && (
          <>
            <dt>{labels.guard}</dt>
            <dd>
              <code>{guard}</code>
            </dd>
          </>
        )}
      </dl>
      <div className={styles['field']}>
        <label htmlFor={field}>{labels.label}</label>
        <input
          id={field}
          className={controls['field']}
          data-testid="edge-label"
          readOnly={isReadOnly}
          value={edge.label ?? ''}
          onChange={(event) => designer.document.getState().edit(labelEdge(id, event.currentTarget.value))}
          onBlur={designer.document.getState().endGesture}
        />
        <p>{labels.hint}</p>
      </div>
      {!isReadOnly && guard === null && (
        <Button isSmall testId="guard-button" onClick={() => runCommand(designer, 'canvas.guardEdge')}>
          {labels.addGuard}
        </Button>
      )}
    </div>
  )
}
