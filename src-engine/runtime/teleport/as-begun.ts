/** A run as it was made, for those that play it again. */

import type { RunRecord } from '../../model/run.ts'

/** The run before anything happened to it; its generation, its now and its chance stay. */
export const asBegun = (run: RunRecord): RunRecord => ({
  ...run,
  status: 'CREATED',
  version: 1,
  startedAt: null,
  finishedAt: null,
  deadlineAt: null,
  cancelRequestedAt: null,
  pauseRequestedAt: null,
  output: null,
  error: null,
  signals: [],
  permits: null,
  waitReason: null,
})
