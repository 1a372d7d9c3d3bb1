/** One step: its input, its form and its output, behind tabs, or side by side where there is room for them. */

import { Columns3 } from 'lucide-react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { RunLine } from '../../clusters/RunLine.tsx'
import { useDesigner, useView } from '../../state/context.ts'
import type { InspectorTab } from '../../state/panels.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { dataWords as words } from '../../text/data-words.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import { CircuitCards } from './CircuitCards.tsx'
import columns from './data/Data.module.css'
import { InputData } from './data/InputData.tsx'
import { PlaceValueDialog } from './data/PlaceValueDialog.tsx'
import styles from './Inspector.module.css'
import { NodeMocks } from './NodeMocks.tsx'
import { NodeParameters } from './NodeParameters.tsx'
import { NodeSettings } from './NodeSettings.tsx'
import { NodeUndo } from './NodeUndo.tsx'
import { RunData } from './RunData.tsx'
import { useInspectorWidth } from './use-inspector-width.ts'

type Tab = { readonly id: InspectorTab; readonly title: string }

const forms: readonly Tab[] = [
  { id: 'parameters', title: 'Parameters' },
  { id: 'settings', title: 'Settings' },
  { id: 'undo', title: 'Undo' },
]
const all: readonly Tab[] = [{ id: 'input', title: words.input }, ...forms, { id: 'run', title: 'Run data' }]

export function NodeInspector({ id }: { readonly id: string }) {
  const designer = useDesigner()
  const { isWide } = useInspectorWidth()
  const node = useShownDocument((document) => document.nodes[nodeId(id)])
  if (node === undefined) return null
  const spec = designer.specs.get(node.kind)
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
        <CommandButton id="view.inspectorWide" icon={Columns3} isPressed={isWide} />
      </header>
      {isWide ? <Columns id={nodeId(id)} /> : <Folded id={nodeId(id)} />}
      <PlaceValueDialog />
    </>
  )
}

/** One thing at a time. */
function Folded({ id }: { readonly id: NodeId }) {
  const tab = useView((state) => state.panels.inspectorTab)
  return (
    <>
      <TabRow tabs={all} current={tab} />
      <div className={styles['scroll']} role="tabpanel" data-testid={`inspector-${tab}`}>
        <Panel id={id} tab={tab} />
      </div>
    </>
  )
}

/** What comes in, what is done with it, what comes out. */
function Columns({ id }: { readonly id: NodeId }) {
  const chosen = useView((state) => state.panels.inspectorTab)
  const tab = forms.some((form) => form.id === chosen) ? chosen : 'parameters'
  return (
    <div className={columns['columns']} data-testid="inspector-columns">
      <section className={columns['column']} aria-label={words.input}>
        <h2>{words.input}</h2>
        <div data-testid="inspector-input">
          <InputData id={id} />
        </div>
      </section>
      <section className={columns['column']} aria-label="Form">
        <TabRow tabs={forms} current={tab} />
        <div role="tabpanel" data-testid={`inspector-${tab}`}>
          <Panel id={id} tab={tab} />
        </div>
      </section>
      <section className={columns['column']} aria-label={words.output}>
        <h2>{words.output}</h2>
        <div data-testid="inspector-run">
          <Panel id={id} tab="run" />
        </div>
      </section>
    </div>
  )
}

function TabRow({ tabs, current }: { readonly tabs: readonly Tab[]; readonly current: InspectorTab }) {
  const designer = useDesigner()
  return (
    <div className={styles['tabs']}>
      <Tabs
        label="Inspector"
        tabs={tabs}
        current={current}
        onChoose={(inspectorTab) => designer.view.getState().setPanels({ inspectorTab })}
      />
    </div>
  )
}

function Panel({ id, tab }: { readonly id: NodeId; readonly tab: InspectorTab }) {
  switch (tab) {
    case 'input':
      return <InputData id={id} />
    case 'settings':
      return <NodeSettings id={id} />
    case 'undo':
      return <NodeUndo id={id} />
    case 'run':
      return (
        <>
          <RunLine>
            <CircuitCards id={id} />
            <RunData id={id} />
          </RunLine>
          <NodeMocks id={id} />
        </>
      )
    default:
      return <NodeParameters id={id} />
  }
}
