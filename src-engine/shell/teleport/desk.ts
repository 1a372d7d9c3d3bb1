/** Teleport for whoever asks for it. */

import type { RunId } from '../../model/ids.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type {
  HereAnswer,
  HerePreview,
  HereRequest,
  PullAnswer,
  PullProgress,
  PullRequest,
  ReplayReport,
  ReplayRequest,
  ResumeAnswer,
  ResumePreview,
  ResumeRequest,
} from '../../protocol/teleport.ts'

export interface TeleportDesk {
  /** Those who ask for a run that is being pulled get the same answer. */
  readonly pull: (request: PullRequest) => Promise<PullAnswer>
  readonly progress: (runId: RunId) => PullProgress | null
  readonly list: () => Promise<readonly PulledRun[]>
  /** Throws `teleport_not_pulled`. */
  readonly drop: (runId: RunId) => Promise<void>
  readonly replay: (request: ReplayRequest) => Promise<ReplayReport>
  readonly preview: (request: ResumeRequest) => Promise<ResumePreview>
  readonly resume: (request: ResumeRequest) => Promise<ResumeAnswer>
  readonly previewHere: (request: HereRequest) => Promise<HerePreview>
  readonly here: (request: HereRequest) => Promise<HereAnswer>
}
