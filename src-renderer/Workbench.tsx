/** The open document: canvas in the middle, panels around it. Loaded beside the start page. */

import { lazy, Suspense, useEffect } from 'react'
import styles from './App.module.css'
import { Canvas } from './canvas/Canvas.tsx'
import { CanvasTools } from './canvas/CanvasTools.tsx'
import { ExplainStrip } from './canvas/live/ExplainStrip.tsx'
import { CanvasMenu } from './canvas/menu/CanvasMenu.tsx'
import { loadEditorWhenIdle } from './forms/widgets/EditorPart.tsx'
import { BottomPanel, StatusBar } from './panels/BottomPanel.tsx'
import { Inspector } from './panels/inspector/Inspector.tsx'
import { useInspectorWidth } from './panels/inspector/use-inspector-width.ts'
import { LeftRail } from './panels/LeftRail.tsx'
import { RunBanner } from './panels/RunBanner.tsx'
import { RewindCard } from './panels/rollback/RewindCard.tsx'
import { useDesigner, useDocument, useView } from './state/context.ts'
import { isWriting } from './ui/is-writing.ts'
import { Resizer } from './ui/Resizer.tsx'

/** With its editor; loaded when it is first opened. */
const CodeView = lazy(async () => ({ default: (await import('./panels/code-view/CodeView.tsx')).CodeView }))

export function Workbench() {
  const designer = useDesigner()
  const panels = useView((state) => state.panels)
  const generation = useDocument((state) => state.generation)
  const { width, isWide } = useInspectorWidth()
  const { setPanels } = designer.view.getState()
  useEffect(loadEditorWhenIdle, [])
  useEffect(leaveTitleBar, [generation])
  return (
    <>
      <div className={styles['middle']}>
        {/* Fields are filled from data now: the canvas needs the room more than the palette does. */}
        {panels.isRailOpen && !isWide && (
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
          <div className={styles['stage']}>
            <div className={styles['canvas']}>
              {/* Another document starts with a fresh view. */}
              <Canvas key={generation} />
              <CanvasTools />
              <ExplainStrip />
              <CanvasMenu />
              <RewindCard />
            </div>
            {panels.isCodeOpen && (
              <>
                <Resizer
                  label="Width of the code view"
                  orientation="vertical"
                  isReversed
                  value={panels.codeWidth}
                  min={280}
                  max={900}
                  onChange={(codeWidth) => setPanels({ codeWidth })}
                />
                <Suspense fallback={null}>
                  <CodeView />
                </Suspense>
              </>
            )}
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
              value={width}
              min={isWide ? 720 : 300}
              max={isWide ? 1800 : 620}
              onChange={(next) => setPanels(isWide ? { inspectorWideWidth: next } : { inspectorWidth: next })}
            />
            <Inspector />
          </>
        )}
      </div>
      <StatusBar />
    </>
  )
}

/**
 * A workflow that has come to the front has the keys, not the button of the bar that had them before a dialog: letters mean
 * the canvas. With the next frame, for a dialog gives the keys back when it is gone.
 */
function leaveTitleBar(): () => void {
  const frame = requestAnimationFrame(() => {
    const active = document.activeElement
    if (active?.closest('[data-testid="title-bar"]') && !isWriting(active)) (active as HTMLElement).blur()
  })
  return () => cancelAnimationFrame(frame)
}
