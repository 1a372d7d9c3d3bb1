/** The left panel: palette, runs, files. */

import type { LucideIcon } from 'lucide-react'
import { Folder, History, ListTree, Shapes } from 'lucide-react'
import { useDesigner, useView } from '../state/context.ts'
import type { RailTab } from '../state/panels.ts'
import { Tabs } from '../ui/Tabs.tsx'
import { FilesPanel } from './files/FilesPanel.tsx'
import { ListPanel } from './list/ListPanel.tsx'
import { Palette } from './palette/Palette.tsx'
import styles from './panels.module.css'
import { RunsPanel } from './runs/RunsPanel.tsx'

const tabs: readonly { readonly id: RailTab; readonly title: string; readonly icon: LucideIcon }[] = [
  { id: 'palette', title: 'Tasks', icon: Shapes },
  { id: 'list', title: 'Steps', icon: ListTree },
  { id: 'runs', title: 'Runs', icon: History },
  { id: 'files', title: 'Files', icon: Folder },
]
const panelByTab = { palette: Palette, list: ListPanel, runs: RunsPanel, files: FilesPanel }

export function LeftRail() {
  const designer = useDesigner()
  const tab = useView((state) => state.panels.railTab)
  const width = useView((state) => state.panels.railWidth)
  const Panel = panelByTab[tab] ?? Palette
  return (
    <aside className={styles['rail']} aria-label="Tasks, runs and files" data-testid="left-rail">
      {/* In a small window a strip is left of it, until the pointer or the keyboard is there. */}
      <div className={styles['strip']} aria-hidden>
        {tabs.map(({ id, icon: Icon }) => (
          <Icon key={id} size={18} data-current={id === tab || undefined} />
        ))}
      </div>
      <div className={styles['seen']}>
        <div className={styles['side']} style={{ width }}>
          <Tabs
            label="Left panel"
            tabs={tabs}
            current={tab}
            onChoose={(railTab) => designer.view.getState().setPanels({ railTab })}
          />
          <div className={styles['body']}>
            <Panel />
          </div>
        </div>
      </div>
    </aside>
  )
}
