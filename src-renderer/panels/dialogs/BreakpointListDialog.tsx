/** All places where runs of the open workflow stop: each leads to its step, is changed or taken away. */

import { Pencil, X } from 'lucide-react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { NodeBreakpoint } from '../../state/breakpoints-store.ts'
import { useBreakpoints, useDesigner, useDocument, useRuns } from '../../state/context.ts'
import { clearBreakpoints, putBreakpoint } from '../../state/debugging.ts'
import { ordinal, debugWords as words } from '../../text/debug-words.ts'
import { fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'

const none: Readonly<Record<string, NodeBreakpoint>> = {}

export function BreakpointListDialog() {
  const designer = useDesigner()
  const { id: of, nodes } = useDocument((state) => state.history.document)
  const points = useBreakpoints((state) => state.byWorkflow[of] ?? none)
  const close = (): void => designer.view.getState().setDialog(null)
  // In the order of the document; what is there no more stops nobody.
  const shown = Object.keys(nodes)
    .map(nodeId)
    .flatMap((id) => (points[id] === undefined ? [] : [{ id, point: points[id] }]))
  return (
    <Modal title={words.listTitle} onClose={close} testId="breakpoints-dialog" width={480}>
      <div className={styles['body']}>
        {shown.length === 0 ? (
          <p>{words.listEmpty}</p>
        ) : (
          <ul className={styles['points']}>
            {shown.map(({ id, point }) => (
              <Point key={id} id={id} title={nodes[id]?.title ?? id} point={point} />
            ))}
          </ul>
        )}
        <footer>
          {shown.length > 0 && (
            <Button kind="quiet" testId="breakpoints-clear" onClick={() => clearBreakpoints(designer)}>
              {words.clearAll}
            </Button>
          )}
          <Button kind="primary" onClick={close}>
            {words.listClose}
          </Button>
        </footer>
      </div>
    </Modal>
  )
}

function Point(props: { readonly id: NodeId; readonly title: string; readonly point: NodeBreakpoint }) {
  const { id, title, point } = props
  const designer = useDesigner()
  const { setDialog, select } = designer.view.getState()
  return (
    <li data-testid={`point-${id}`}>
      <button
        type="button"
        onClick={() => {
          setDialog(null)
          select({ nodes: [id] })
          designer.canvas.current?.reveal(id)
        }}
      >
        <b>{title}</b>
        <code>{whenText(point)}</code>
        <Counted id={id} />
      </button>
      <IconButton
        icon={Pencil}
        label={words.change}
        onClick={() => {
          designer.breakpoints.getState().ask(id)
          setDialog('breakpoint')
        }}
      />
      <IconButton icon={X} label={words.clear} onClick={() => putBreakpoint(designer, id, null)} />
    </li>
  )
}

function whenText({ condition, nth }: NodeBreakpoint): string {
  if (nth === undefined) return condition ?? words.always
  const time = ordinal(nth)
  return condition === null ? fill(words.nth, { nth: time }) : fill(words.nthIf, { nth: time, condition })
}

/** How far the run that is shown has counted. */
function Counted({ id }: { readonly id: NodeId }) {
  const count = useRuns(
    ({ current }) => current?.live.replay.run?.breakpoints.find(({ nodeId: at }) => at === id)?.passed ?? 0,
  )
  return count === 0 ? null : <small>{fill(words.counted, { count })}</small>
}
