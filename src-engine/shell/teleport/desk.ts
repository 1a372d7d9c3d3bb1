/** Teleport for whoever asks for it. */

import type { RunId } from '../../model/ids.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type {
  HereAnswer,
  HerePreview,
  HereRequest,
  OpenRunAnswer,
  PullAnswer,
  PullProgress,
  PullRequest,
  ReplayReport,
  ReplayRequest,
  ResumeAnswer,
  ResumePreview,
  ResumeRequest,
  SavedRun,
  SaveRunRequest,
} from '../../protocol/teleport.ts'

export interface TeleportDesk {
  /** Those who ask for a run that is being pulled get the same answer. */
  readonly pull: (request: PullRequest) => Promise<PullAnswer>
  readonly progress: (runId: RunId) => PullProgress | null
  readonly list: () => Promise<readonly PulledRun[]>
  readonly save: (request: SaveRunRequest) => Promise<SavedRun>
  /** Throws `run_file_unreadable`, and what a pull throws. */
  readonly open: (file: { readonly name: string; readonly base64: string }) => Promise<OpenRunAnswer>
  /** Throws `teleport_not_pulled`. */
  readonly drop: (runId: RunId) => Promise<void>
  readonly replay: (request: ReplayRequest) => Promise<ReplayReport>
  readonly preview: (request: ResumeRequest) => Promise<ResumePreview>
  readonly resume: (request: ResumeRequest) => Promise<ResumeAnswer>
  readonly previewHere: (request: HereRequest) => Promise<HerePreview>
  readonly here: (request: HereRequest) => Promise<HereAnswer>
}
