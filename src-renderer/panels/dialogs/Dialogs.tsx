/** The dialogs: whichever the view asks for. */

import { CompareDialog } from '../../comparison/CompareDialog.tsx'
import { CurlDialog } from '../../curl/CurlDialog.tsx'
import { useView } from '../../state/context.ts'
import type { Dialog } from '../../state/view-store.ts'
import { HereDialog } from '../../teleport/HereDialog.tsx'
import { ReplayRunDialog } from '../../teleport/ReplayRunDialog.tsx'
import { ResumeDialog } from '../../teleport/ResumeDialog.tsx'
import { TrustDialog } from '../../trust/TrustDialog.tsx'
import { HistoryDialog } from '../history/HistoryDialog.tsx'
import { MergeDialog } from '../merge/MergeDialog.tsx'
import { ArrivingDialog } from './ArrivingDialog.tsx'
import { BreakpointDialog } from './BreakpointDialog.tsx'
import { BreakpointListDialog } from './BreakpointListDialog.tsx'
import { CommandPalette } from './CommandPalette.tsx'
import { CrashDialog } from './crash/CrashDialog.tsx'
import { ExtractDialog } from './ExtractDialog.tsx'
import { ExportDialog } from './export/ExportDialog.tsx'
import { MatchSecretsDialog } from './export/MatchSecretsDialog.tsx'
import { FireDialog } from './FireDialog.tsx'
import { ForkDialog } from './ForkDialog.tsx'
import { KeepTestDialog } from './KeepTestDialog.tsx'
import { CheatSheet } from './keys/CheatSheet.tsx'
import { MigrateTasksDialog } from './migrate-tasks/MigrateTasksDialog.tsx'
import { OpenDialog } from './OpenDialog.tsx'
import { PublishDialog } from './push/PublishDialog.tsx'
import { PushDialog } from './push/PushDialog.tsx'
import { RehearseDialog } from './RehearseDialog.tsx'
import { RerunDialog } from './RerunDialog.tsx'
import { RetryDialog } from './RetryDialog.tsx'
import { RunToDialog } from './RunToDialog.tsx'
import { SaveAsDialog } from './SaveAsDialog.tsx'
import { StartDialog } from './StartDialog.tsx'
import { SaveTaskDialog } from './save-task/SaveTaskDialog.tsx'
import { TryStepDialog } from './TryStepDialog.tsx'

const componentByDialog: Readonly<Record<Dialog, () => React.ReactNode>> = {
  start: StartDialog,
  open: OpenDialog,
  'save-as': SaveAsDialog,
  'cheat-sheet': CheatSheet,
  'command-palette': CommandPalette,
  conflict: MergeDialog,
  history: HistoryDialog,
  publish: PublishDialog,
  rehearse: RehearseDialog,
  'keep-test': KeepTestDialog,
  rerun: RerunDialog,
  retry: RetryDialog,
  push: PushDialog,
  replay: ReplayRunDialog,
  resume: ResumeDialog,
  here: HereDialog,
  fire: FireDialog,
  breakpoint: BreakpointDialog,
  breakpoints: BreakpointListDialog,
  'try-step': TryStepDialog,
  'run-to': RunToDialog,
  fork: ForkDialog,
  crash: CrashDialog,
  compare: CompareDialog,
  extract: ExtractDialog,
  'save-task': SaveTaskDialog,
  'migrate-tasks': MigrateTasksDialog,
  trust: TrustDialog,
  'paste-curl': CurlDialog,
  export: ExportDialog,
  'match-secrets': MatchSecretsDialog,
  arriving: ArrivingDialog,
}

export function Dialogs() {
  const dialog = useView((state) => state.dialog)
  if (dialog === null) return null
  const Component = componentByDialog[dialog]
  return <Component />
}
