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
  const document = useShownDocument()
  const isReadOnly = useReadOnly()
  return (
    <aside
      className={panels['side']}
      style={{ width }}
      data-wide={isWide || undefined}
      aria-label="Inspector"
      data-testid="inspector"
    >
      {node !== undefined && document.nodes[node] !== undefined ? (
        <NodeInspector key={node} id={node} />
      ) : edge !== undefined && undoneBy(edge) !== null ? (
        <UndoEdgeInspector of={undoneBy(edge) ?? nodeId('')} />
      ) : edge !== undefined && document.edges[edge] !== undefined ? (
        <EdgeInspector id={edge} />
      ) : scope !== undefined && document.sagaScopes?.[scope] !== undefined ? (
        <ScopeInspector id={scope} />
      ) : frame !== undefined && document.frames?.[frame] !== undefined ? (
        <FrameInspector id={frame} />
      ) : note !== undefined && document.notes?.[note] !== undefined ? (
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
