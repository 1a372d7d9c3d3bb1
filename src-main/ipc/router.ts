/**
 * The one way from a page into the main process: only listed channels, only our own top-level page, only
 * arguments that satisfy the channel's schema. Answers are values, so that an error keeps its code.
 */

import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import { recordOfThrown, SagasmithError, toErrorRecord } from '../../src-engine/model/errors.ts'
import type { Result } from '../../src-engine/model/result.ts'
import { err, ok } from '../../src-engine/model/result.ts'
import type { DesktopApi } from '../../src-engine/protocol/desktop-api.ts'
import type { RequestName } from './channel-names.ts'
import { requestChannels } from './channel-names.ts'
import type { RequestArguments } from './channels.ts'
import { requestSchemas } from './channels.ts'

type AnswerOf<N extends RequestName> =
  Awaited<ReturnType<DesktopApi[N]>> extends Result<infer Value, ErrorRecord> ? Value : never

/** One handler per request; a thrown SagasmithError becomes the answer's error. */
export type RequestHandlers = {
  readonly [N in RequestName]: (
    args: RequestArguments<N>,
    sender: WebContents,
  ) => AnswerOf<N> | Promise<AnswerOf<N>>
}

export interface RouterDeps {
  readonly ipc: Pick<IpcMain, 'handle'>
  /** Scheme and host of our own pages, such as `app://sagasmith`. */
  readonly trustedOrigin: string
  readonly onRefused: (channel: string, reason: string) => void
}

/** `scheme://host` of an address; empty when it is none. `URL.origin` is "null" for schemes of our own. */
export function originOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

function isOwnPage(event: IpcMainInvokeEvent, trustedOrigin: string): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && originOf(frame.url) === trustedOrigin
}

function refusal(
  name: RequestName,
  problems: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
) {
  const first = problems[0]
  const place = first === undefined ? '' : `${first.path.map(String).join('.')}: ${first.message}`
  return new SagasmithError('bad_request', {
    message: `The request ${name} has unexpected arguments (${place}).`,
    details: { request: name },
  })
}

type AnyHandler = (args: unknown, sender: WebContents) => unknown

async function answer(
  name: RequestName,
  handler: AnyHandler,
  call: { args: unknown[]; sender: WebContents },
) {
  const parsed = requestSchemas[name].safeParse(call.args)
  if (!parsed.success) return err(toErrorRecord(refusal(name, parsed.error.issues)))
  try {
    return ok(await handler(parsed.data, call.sender))
  } catch (error) {
    return err(recordOfThrown(error))
  }
}

/** Registers every request; a page that is not ours gets an exception and nothing else. */
export function registerRequests(
  { ipc, trustedOrigin, onRefused }: RouterDeps,
  handlers: RequestHandlers,
): void {
  for (const name of Object.keys(requestChannels) as RequestName[]) {
    const channel = requestChannels[name]
    // The schema of the same name proves the argument's type.
    const handler = handlers[name] as AnyHandler
    ipc.handle(channel, (event, ...args: unknown[]) => {
      if (isOwnPage(event, trustedOrigin)) return answer(name, handler, { args, sender: event.sender })
      onRefused(channel, event.senderFrame?.url ?? 'a page that is gone')
      throw new Error('This page may not talk to Sagasmith.')
    })
  }
}
