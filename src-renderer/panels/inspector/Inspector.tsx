/** The right panel: what is selected, its parameters, settings and data; the workflow when nothing is. */

import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  Frame,
  Group,
  PackageOpen,
} from 'lucide-react'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { runCommand } from '../../commands/registry.ts'
import { undoneBy } from '../../rules/compensation.ts'
import { useDesigner, useView } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { arrange } from '../../text/canvas-words.ts'
import { scopes } from '../../text/saga-words.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { leavesInspector } from '../../ui/inspector-keys.ts'
import panels from '../panels.module.css'
import { EdgeInspector, UndoEdgeInspector } from './EdgeInspector.tsx'
import { FrameInspector } from './FrameInspector.tsx'
import styles from './Inspector.module.css'
import { NodeInspector } from './NodeInspector.tsx'
import { NoteInspector } from './NoteInspector.tsx'
import { ScopeInspector } from './ScopeInspector.tsx'
import { TriggerInspector } from './triggers/TriggerInspector.tsx'
import { useInspectorWidth } from './use-inspector-width.ts'
import { WorkflowInspector } from './WorkflowInspector.tsx'

export function Inspector() {
  const designer = useDesigner()
  const node = useView((state) => (state.selection.nodes.length === 1 ? state.selection.nodes[0] : undefined))
  const edge = useView((state) =>
    state.selection.edges.length === 1 && state.selection.nodes.length === 0
      ? state.selection.edges[0]
      : undefined,
  )
  const scope = useView((state) =>
    state.selection.scopes.length === 1 && state.selection.nodes.length === 0
      ? state.selection.scopes[0]
      : undefined,
  )
  const frame = useView((state) =>
    state.selection.frames.length === 1 && state.selection.nodes.length === 0
      ? state.selection.frames[0]
      : undefined,
  )
  const note = useView((state) =>
    state.selection.notes.length === 1 && state.selection.nodes.length === 0
      ? state.selection.notes[0]
      : undefined,
  )
  const trigger = useView((state) =>
    state.selection.triggers.length === 1 && state.selection.nodes.length === 0
      ? state.selection.triggers[0]
      : undefined,
  )
  const { width, isWide } = useInspectorWidth()
  const count = useView((state) => state.selection.nodes.length)
  // Whether it is there, not the document: an edit of anything else draws no form anew.
  const has = {
    node: useShownDocument(({ nodes }) => node !== undefined && nodes[node] !== undefined),
    edge: useShownDocument(({ edges }) => edge !== undefined && edges[edge] !== undefined),
    scope: useShownDocument(({ sagaScopes }) => scope !== undefined && sagaScopes?.[scope] !== undefined),
    frame: useShownDocument(({ frames }) => frame !== undefined && frames?.[frame] !== undefined),
    note: useShownDocument(({ notes }) => note !== undefined && notes?.[note] !== undefined),
  }
  const isReadOnly = useReadOnly()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keyboard's way back from any field in it
    <aside
      className={panels['side']}
      style={{ width }}
      data-wide={isWide || undefined}
      aria-label="Inspector"
      data-testid="inspector"
      data-node={node ?? ''}
      onKeyDown={(event) => {
        const { key, target, nativeEvent } = event
        const { isComposing } = nativeEvent
        if (!leavesInspector({ key, target, isComposing, isTaken: event.defaultPrevented })) return
        event.preventDefault()
        if (node === undefined) designer.canvas.current?.focus()
        else designer.canvas.current?.focusNode(node)
      }}
    >
      {node !== undefined && has.node ? (
        <NodeInspector key={node} id={node} />
      ) : edge !== undefined && undoneBy(edge) !== null ? (
        <UndoEdgeInspector of={undoneBy(edge) ?? nodeId('')} />
      ) : edge !== undefined && has.edge ? (
        <EdgeInspector id={edge} />
      ) : scope !== undefined && has.scope ? (
        <ScopeInspector id={scope} />
      ) : frame !== undefined && has.frame ? (
        <FrameInspector id={frame} />
      ) : note !== undefined && has.note ? (
        <NoteInspector id={note} />
      ) : trigger !== undefined ? (
        <TriggerInspector key={trigger} id={trigger} />
      ) : count > 1 ? (
        <div className={styles['many']}>
          <p>{`${count} nodes selected`}</p>
          {!isReadOnly && <ManyActions />}
        </div>
      ) : (
        <WorkflowInspector />
      )}
    </aside>
  )
}

/** What can be done with several nodes at once. */
function ManyActions() {
  const designer = useDesigner()
  return (
    <>
      <div className={styles['arrange']} role="toolbar" aria-label={arrange.title}>
        {arrangeButtons.map(([id, icon]) => (
          <CommandButton key={id} id={id} icon={icon} />
        ))}
      </div>
      <Button icon={Frame} testId="frame-button" onClick={() => runCommand(designer, 'edit.frame')}>
        {arrange.frame}
      </Button>
      <Button icon={Group} testId="group-button" onClick={() => runCommand(designer, 'edit.group')}>
        {scopes.group}
      </Button>
      <Button icon={PackageOpen} testId="extract-button" onClick={() => runCommand(designer, 'edit.extract')}>
        {arrange.extract}
      </Button>
    </>
  )
}

const arrangeButtons = [
  ['edit.alignLeft', AlignStartVertical],
  ['edit.alignCentre', AlignCenterVertical],
  ['edit.alignRight', AlignEndVertical],
  ['edit.alignTop', AlignStartHorizontal],
  ['edit.alignMiddle', AlignCenterHorizontal],
  ['edit.alignBottom', AlignEndHorizontal],
  ['edit.distributeAcross', AlignHorizontalSpaceAround],
  ['edit.distributeDown', AlignVerticalSpaceAround],
] as const
