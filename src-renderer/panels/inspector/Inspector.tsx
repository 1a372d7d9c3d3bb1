/** The right panel: what is selected, its parameters, settings and data; the workflow when nothing is. */

import { nodeId } from '../../../src-engine/model/ids.ts'
import { RunLine } from '../../clusters/RunLine.tsx'
import { useDesigner, useView } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import type { InspectorTab } from '../../state/view-store.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import panels from '../panels.module.css'
import { EdgeInspector } from './EdgeInspector.tsx'
import styles from './Inspector.module.css'
import { NodeParameters } from './NodeParameters.tsx'
import { NodeSettings } from './NodeSettings.tsx'
import { RunData } from './RunData.tsx'
import { WorkflowInspector } from './WorkflowInspector.tsx'

const tabs: readonly { readonly id: InspectorTab; readonly title: string }[] = [
  { id: 'parameters', title: 'Parameters' },
  { id: 'settings', title: 'Settings' },
  { id: 'run', title: 'Run data' },
]

export function Inspector() {
  const width = useView((state) => state.panels.inspectorWidth)
  const node = useView((state) => (state.selection.nodes.length === 1 ? state.selection.nodes[0] : undefined))
  const edge = useView((state) =>
    state.selection.edges.length === 1 && state.selection.nodes.length === 0
      ? state.selection.edges[0]
      : undefined,
  )
  const count = useView((state) => state.selection.nodes.length)
  const document = useShownDocument()
  return (
    <aside className={panels['side']} style={{ width }} aria-label="Inspector" data-testid="inspector">
      {node !== undefined && document.nodes[node] !== undefined ? (
        <NodeInspector key={node} id={node} />
      ) : edge !== undefined && document.edges[edge] !== undefined ? (
        <EdgeInspector id={edge} />
      ) : count > 1 ? (
        <p className={styles['many']}>{`${count} nodes selected`}</p>
      ) : (
        <WorkflowInspector />
      )}
    </aside>
  )
}

function NodeInspector({ id }: { readonly id: string }) {
  const designer = useDesigner()
  const tab = useView((state) => state.panels.inspectorTab)
  const node = useShownDocument((document) => document.nodes[nodeId(id)])
  if (node === undefined) return null
  const spec = designer.specs.get(node.kind)
  const Panel = { parameters: NodeParameters, settings: NodeSettings, run: RunData }[tab] ?? NodeParameters
  return (
    <>
      <header className={styles['head']} data-category={spec?.category}>
        <span className={styles['tile']}>
          <TaskIcon name={spec?.icon} size={17} />
        </span>
        <span className={styles['names']}>
          <b>{node.title ?? spec?.title ?? node.kind}</b>
          <code title="The name of this node in expressions">{id}</code>
        </span>
      </header>
      <Tabs
        label="Inspector"
        tabs={tabs}
        current={tab}
        onChoose={(inspectorTab) => designer.view.getState().setPanels({ inspectorTab })}
      />
      <div className={styles['scroll']} role="tabpanel" data-testid={`inspector-${tab}`}>
        {Panel === RunData ? (
          <RunLine>
            <RunData id={nodeId(id)} />
          </RunLine>
        ) : (
          <Panel id={nodeId(id)} />
        )}
      </div>
    </>
  )
}
