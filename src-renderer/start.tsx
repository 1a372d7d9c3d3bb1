/** Puts the designer on the page: services, stores, then React. */

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { DesignerContext } from './state/context.ts'
import type { Designer } from './state/designer.ts'
import { createDesigner } from './state/designer.ts'
import { startDesktop } from './state/desktop-link.ts'
import { startClusters } from './state/follow-clusters.ts'
import { startCustomTasks } from './state/follow-custom-tasks.ts'
import { startDisk } from './state/follow-disk.ts'
import { startInbox } from './state/follow-inbox.ts'
import { startLetters } from './state/follow-letters.ts'
import { startRewind } from './state/follow-rewind.ts'
import { startRunsList } from './state/follow-runs.ts'
import { startSecrets } from './state/follow-secrets.ts'
import { startStartedWorkflows } from './state/follow-started.ts'
import { startTriggers } from './state/follow-triggers.ts'
import { startTrust } from './state/follow-trust.ts'
import { startJournal } from './state/journal.ts'
import { openLink } from './state/open-link.ts'
import { startAsides } from './state/run-aside.ts'
import { startRunNotices } from './state/run-notices.ts'
import type { Services } from './state/services.ts'
import { startStepLook } from './state/step-look.ts'
import { startTabs } from './state/tabs/tab-session.ts'
import { startValidation } from './state/validation.ts'
import { holdClocks } from './ui/use-clock.ts'

export interface Started {
  readonly designer: Designer
  /** Settled once the tabs of the last time are back: what is shown before it goes with the first of them. */
  readonly restored: Promise<void>
}

/** Starts everything; gives the designer for whoever drives it. */
export function startDesigner(services: Services, root: HTMLElement): Started {
  const designer = createDesigner(services)
  startValidation(designer)
  startStartedWorkflows(designer)
  startJournal(designer)
  const watchers = [startLetters(designer), startInbox(designer), startRunNotices(designer)]
  services.notices.onClick((link) => void openLink(designer, link))
  startRunsList(designer, (events) => {
    for (const watch of watchers) watch(events)
  })
  designer.connection.state.subscribe(({ status }) => holdClocks(status === 'lost'))
  startRewind(designer)
  startStepLook(designer)
  startSecrets(designer)
  startCustomTasks(designer)
  startTriggers(designer)
  startClusters(designer)
  startDisk(designer)
  startTrust(designer)
  const restored = startTabs(designer)
  startDesktop(designer, restored)
  startAsides(designer)
  createRoot(root).render(
    <StrictMode>
      <DesignerContext value={designer}>
        <App />
      </DesignerContext>
    </StrictMode>,
  )
  return { designer, restored }
}
