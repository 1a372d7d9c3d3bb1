/** What whoever looks for a mistake in a run asks of it: to stop before steps, and to go on elsewhere from an instant. */

import { z } from 'zod'
import type { Breakpoint } from '../model/breakpoint.ts'
import { breakpointNthMax, breakpointsMax } from '../model/breakpoint.ts'
import type { NodeId, RunId } from '../model/ids.ts'
import { nodeId, runId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { expressionBytesMax } from '../model/limits.ts'
import type { RetryAnswer } from './run-control.ts'

/** A new run that goes on from an instant of another one, with the results that were there. */
export interface ForkRequest {
  readonly runId: RunId
  /** After the event of that sequence; null for where the run stands now. */
  readonly seq: number | null
  /** A step that begins anew although it had ended, and all that follows it; null for none. */
  readonly nodeId: NodeId | null
  /** What arrives at that step instead of what did; null to leave it. */
  readonly input: { readonly value: JsonValue } | null
  /** The document to go on with; null for the version that the run was bound to. */
  readonly document: JsonObject | null
  /** Only the part of the workflow that leads to this step; null for all of it. */
  readonly until: NodeId | null
  /** Whether only `until` may begin; not when absent. */
  readonly only?: boolean | undefined
  /** Where the new run stops; nowhere when absent. */
  readonly breakpoints?: readonly Breakpoint[] | undefined
  readonly by: string | null
  readonly reason: string | null
}

export interface ForkAnswer extends RetryAnswer {
  /** The run that it goes on from. */
  readonly of: RunId
  /** Steps whose results were taken over. */
  readonly taken: readonly NodeId[]
  /** Steps that can only be undone in the run that did them. */
  readonly staysThere: readonly NodeId[]
}

/** Where a run that is under way is to stop, in the place of where it was to stop before. */
export interface BreakpointsRequest {
  readonly runId: RunId
  readonly breakpoints: readonly Breakpoint[]
  readonly by: string | null
}

export interface DebuggingApi {
  /**
   * Makes a run that goes on from an instant of another one: refused with `run_not_found`, `nothing_to_retry`,
   * `step_not_retryable`, `kept_results_do_not_fit`, `run_not_retryable`, `trial_needs_more`.
   */
  readonly 'runs.fork': { readonly input: ForkRequest; readonly output: ForkAnswer }
  /** Refused with `run_already_final`, and `expression_invalid` for a condition that can't be read. */
  readonly 'runs.breakpoints': {
    readonly input: BreakpointsRequest
    readonly output: { readonly breakpoints: readonly Breakpoint[] }
  }
}

const textMax = 4_096
const name = z.string().min(1).max(textMax)
const run = name.transform(runId)
const node = name.transform(nodeId)

/** What a list of breakpoints has to be. */
export const breakpointList = z
  .array(
    z.object({
      nodeId: node,
      condition: z.string().min(1).max(expressionBytesMax).nullable(),
      nth: z.int().min(1).max(breakpointNthMax).optional(),
    }),
  )
  .max(breakpointsMax)

export const debuggingSchemas = {
  'runs.fork': z.object({
    runId: run,
    seq: z.int().nonnegative().nullable(),
    nodeId: node.nullable(),
    input: z.object({ value: z.custom<JsonValue>((value) => value !== undefined, 'Required') }).nullable(),
    document: z.custom<JsonObject>(isJsonObject, 'Expected an object').nullable(),
    until: node.nullable(),
    only: z.boolean().optional(),
    breakpoints: breakpointList.optional(),
    by: name.nullable(),
    reason: z.string().max(textMax).nullable(),
  }),
  'runs.breakpoints': z.object({ runId: run, breakpoints: breakpointList, by: name.nullable() }),
}
