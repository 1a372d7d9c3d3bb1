/**
 * Tells people elsewhere that they are asked, or asked more urgently. The demand is an effect of the checkpoint that asks:
 * the question is there before anybody hears of it, and whatever becomes of telling stands on it and takes nothing from it.
 */

import { noteNotice, questionTold } from '../../core/approvals/note-notice.ts'
import type { RunState } from '../../core/run-state.ts'
import type { ApprovalNotice, ApprovalOccasion } from '../../model/approval.ts'
import type { ToldQuestion } from '../../model/effect.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { errorOfRecord, errorRecord, recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import { noticeTriesMax } from '../../model/limits.ts'
import { loadedState } from '../loaded-state.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { Asked } from './tell-asked.ts'
import { tellAsked } from './tell-asked.ts'

export interface ApprovalNotices {
  /** Throws where it is to be tried again. */
  readonly tell: (told: ToldQuestion) => Promise<void>
  /** Ends what is under way: somebody else tells it. */
  readonly stop: () => void
}

export interface ApprovalNoticesParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly payloads: PayloadStore
}

/** What people are told by this process. */
export function createApprovalNotices(parts: ApprovalNoticesParts): ApprovalNotices {
  const stopping = new AbortController()
  return { tell: (told) => tell(parts, told, stopping.signal), stop: () => stopping.abort() }
}

async function tell(parts: ApprovalNoticesParts, told: ToldQuestion, signal: AbortSignal): Promise<void> {
  const state = await stateOf(parts, told)
  const question = state === null ? null : questionTold(state, told)
  // Decided or asked anew meanwhile, or pruned with its run.
  if (state === null || question === null) return
  const before = question.wait.notices?.find(({ occasion }) => occasion === told.occasion)
  if (before?.isOver === true) return
  await requireTrust(parts, state.run.definitionHash)
  const asked: Asked = { state, ...question, occasion: told.occasion }
  const { to, error } = await tried(parts, asked, signal)
  const tries = (before?.tries ?? 0) + 1
  const isOver = error === null || !error.retryable || tries >= noticeTriesMax
  const why = error === null ? null : { code: error.code, message: error.message, hint: error.hint }
  const { clock } = parts.dependencies
  await note(parts, told, { occasion: told.occasion, at: clock.now(), to, tries, error: why, isOver })
  if (error !== null && !isOver) throw errorOfRecord(error)
}

/** What it doesn't execute gets no secret of it either: that is left to those who do. */
async function requireTrust({ dependencies }: ApprovalNoticesParts, hash: DefinitionHash): Promise<void> {
  const { trust } = dependencies
  if (trust === null) return
  await trust.refresh()
  if (!trust.accepts(hash)) throw new SagasmithError('definition_not_trusted', { details: { hash } })
}

/** Null for a run that is gone. */
async function stateOf(
  { dependencies }: ApprovalNoticesParts,
  { runId }: ToldQuestion,
): Promise<RunState | null> {
  try {
    return await loadedState(dependencies.book, runId)
  } catch (thrown) {
    if (recordOfThrown(thrown).code === 'run_not_found') return null
    throw thrown
  }
}

async function tried(
  parts: ApprovalNoticesParts,
  asked: Asked,
  signal: AbortSignal,
): Promise<{ readonly to: string; readonly error: ErrorRecord | null }> {
  const { to, missed, error } = await tellAsked(
    { ...parts.dependencies.executor, payloads: parts.payloads },
    asked,
    signal,
  )
  // This process ends: what it was told of then says nothing.
  if (signal.aborted) throw new SagasmithError('engine_stopped')
  if (error !== null || missed.length === 0) return { to, error }
  const message = `The others were told, not these: ${missed.join(', ')}.`
  return { to, error: errorRecord('mail_refused', { message }) }
}

async function note(
  { dependencies, runner }: ApprovalNoticesParts,
  told: ToldQuestion,
  notice: ApprovalNotice,
): Promise<void> {
  const { runId, invocationId, revision, occasion } = told
  const { tries, error } = notice
  const said = { runId, invocationId, occasion, tries }
  if (error === null) dependencies.log.info('approval.told', said)
  else dependencies.log.warn('approval.not-told', { ...said, error: error.message, isOver: notice.isOver })
  await dependencies.book.decide(runId, (state) => {
    const context = runner.context({
      actor: 'run',
      cause: { kind: 'approval.told', by: invocationId, detail: occasion satisfies ApprovalOccasion },
      opId: opId(`approval-told:${invocationId}:${revision}:${occasion}:${tries}`),
      runId,
      claims: false,
    })
    return noteNotice(state, context, { told, notice })
  })
}
