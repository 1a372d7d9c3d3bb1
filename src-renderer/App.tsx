/** The frame: slots for panels around the canvas, no logic of its own. */

import { Canvas } from './canvas/Canvas.tsx'
import { CanvasTools } from './canvas/CanvasTools.tsx'
import { BottomPanel, StatusBar } from './panels/BottomPanel.tsx'
import { Dialogs } from './panels/dialogs/Dialogs.tsx'
import { Inspector } from './panels/inspector/Inspector.tsx'
import { LeftRail } from './panels/LeftRail.tsx'
import { RunBanner } from './panels/RunBanner.tsx'
import { StartPage } from './panels/start-page/StartPage.tsx'
import { TitleBar } from './panels/title-bar/TitleBar.tsx'
import { useDesigner, useDocument, useRuns, useView } from './state/context.ts'
import { Resizer } from './ui/Resizer.tsx'
import { Toasts } from './ui/Toasts.tsx'
import { useKeys } from './ui/use-keys.ts'
import { useTheme } from './ui/use-theme.ts'
import styles from './App.module.css'

export function App() {
  useKeys()
  useTheme()
  const isOpen = useDocument((state) => state.isOpen)
  const hasOverlay = useRuns((state) => state.current !== null && state.current.overlay !== null)
  return (
    <div className={styles['app']}>
      <TitleBar />
      {isOpen || hasOverlay ? <Workbench /> : <StartPage />}
      <Dialogs />
      <Toasts />
      <Announcements />
    </div>
  )
}

function Workbench() {
  const designer = useDesigner()
  const panels = useView((state) => state.panels)
  const generation = useDocument((state) => state.generation)
  const { setPanels } = designer.view.getState()
  return (
    <>
      <div className={styles['middle']}>
        {panels.isRailOpen && (
          <>
            <LeftRail />
            <Resizer
              label="Width of the left panel"
              orientation="vertical"
              value={panels.railWidth}
              min={200}
              max={440}
              onChange={(railWidth) => setPanels({ railWidth })}
            />
          </>
        )}
        <div className={styles['centre']}>
          <RunBanner />
          <div className={styles['canvas']}>
            {/* Another document starts with a fresh view. */}
            <Canvas key={generation} />
            <CanvasTools />
          </div>
          {panels.isBottomOpen && (
            <>
              <Resizer
                label="Height of the bottom panel"
                orientation="horizontal"
                isReversed
                value={panels.bottomHeight}
                min={120}
                max={520}
                onChange={(bottomHeight) => setPanels({ bottomHeight })}
              />
              <BottomPanel />
            </>
          )}
        </div>
        {panels.isInspectorOpen && (
          <>
            <Resizer
              label="Width of the inspector"
              orientation="vertical"
              isReversed
              value={panels.inspectorWidth}
              min={280}
              max={620}
              onChange={(inspectorWidth) => setPanels({ inspectorWidth })}
            />
            <Inspector />
          </>
        )}
      </div>
      <StatusBar />
    </>
  )
}

function Announcements() {
  const text = useView((state) => state.announcement)
  return (
    <div className="visually-hidden" aria-live="polite" role="status" data-testid="announcement">
      {text}
    </div>
  )
}
