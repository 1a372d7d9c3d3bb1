/** The frame: slots for panels around the canvas, no logic of its own. */

import { lazy, Suspense } from 'react'
import styles from './App.module.css'
import { ClusterBand } from './clusters/ClusterBand.tsx'
import { ConnectionBand } from './panels/ConnectionBand.tsx'
import { useFileDrop } from './panels/code-view/use-file-drop.ts'
import { Dialogs } from './panels/dialogs/Dialogs.tsx'
import { EnginePage } from './panels/engine-page/EnginePage.tsx'
import { StartPage } from './panels/start-page/StartPage.tsx'
import { TabStrip } from './panels/tabs/TabStrip.tsx'
import { TitleBar } from './panels/title-bar/TitleBar.tsx'
import { useDocument, useRuns, useView } from './state/context.ts'
import { Toasts } from './ui/Toasts.tsx'
import { useKeys } from './ui/use-keys.ts'
import { useTheme } from './ui/use-theme.ts'

/** Begins to load at once, so that it is there when a document is opened; the start page doesn't wait. */
const loading = import('./Workbench.tsx')
const Workbench = lazy(async () => ({ default: (await loading).Workbench }))

export function App() {
  useKeys()
  useTheme()
  useFileDrop()
  const isOpen = useDocument((state) => state.isOpen)
  const isEngine = useView((state) => state.enginePage !== null)
  const hasOverlay = useRuns((state) => state.current !== null && state.current.overlay !== null)
  return (
    <div className={styles['app']}>
      <TitleBar />
      <TabStrip />
      <ConnectionBand />
      <ClusterBand />
      {isEngine ? (
        <EnginePage />
      ) : isOpen || hasOverlay ? (
        <Suspense fallback={<div className={styles['middle']} />}>
          <Workbench />
        </Suspense>
      ) : (
        <StartPage />
      )}
      <Dialogs />
      <Toasts />
      <Announcements />
    </div>
  )
}

function Announcements() {
  const text = useView((state) => state.announcement)
  return (
    <output className="visually-hidden" aria-live="polite" data-testid="announcement">
      {text}
    </output>
  )
}
