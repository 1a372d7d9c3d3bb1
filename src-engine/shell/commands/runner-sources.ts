/** What a runner listens to beside its store: web calls, folders and streams, each where it was asked to. */

import type { JsonObject } from '../../model/json.ts'
import type { Engine } from '../../runtime/engine.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { Vault } from '../../runtime/vault/vault.ts'
import type { ListenerState } from '../../runtime/webhooks/listener-process.ts'
import type { DataDirectory } from '../data-directory.ts'
import type { FileLogger } from '../log.ts'
import type { AttachedCallbackUrls } from '../webhooks/callback-urls.ts'
import { openHostWebhooks } from '../webhooks/host-webhooks.ts'
import type { CommandContext } from './command.ts'

export interface RunnerSourcesInput {
  readonly context: Pick<CommandContext, 'flags' | 'settings'>
  readonly engine: Engine
  readonly directory: DataDirectory
  readonly vault: Vault
  readonly log: FileLogger
  readonly callbacks: Pick<AttachedCallbackUrls, 'attach'>
  readonly say: (line: JsonObject & { readonly type: string }, words: string) => void
}

/** Nothing starts by itself any more once it has resolved. */
export type CloseSources = () => Promise<void>

/** Begins to listen to what `--webhooks`, `--folders` and `--streams` name. */
export async function openRunnerSources(input: RunnerSourcesInput): Promise<CloseSources> {
  const { context, engine, say } = input
  if (context.flags['folders'] === true) {
    engine.folders.start()
    say({ type: 'runner.folders' }, 'watches the folders of published triggers')
  }
  if (context.flags['streams'] === true) {
    engine.streams.start()
    say({ type: 'runner.streams' }, 'reads the streams of published triggers')
  }
  const stop = async (): Promise<void> => {
    await Promise.all([engine.folders.stop(), engine.streams.stop()])
  }
  if (context.flags['webhooks'] !== true) {
    input.callbacks.attach({ engine, server: null })
    return stop
  }
  const server = await openHostWebhooks({
    ...input,
    settings: context.settings.values,
    clock: systemClock,
  })
  input.callbacks.attach({ engine, server })
  let told = ''
  const tell = (state: ListenerState): void => {
    const words = wordsOf(state)
    // Told once, and not with every try.
    if (words === told || state.kind === 'starting') return
    told = words
    say({ type: 'runner.webhooks', ...lineOf(state) }, words)
  }
  const stopTelling = server.onState(tell)
  tell(server.state())
  return async () => {
    stopTelling()
    await Promise.all([server.close(), stop()])
  }
}

function lineOf(state: ListenerState): JsonObject {
  if (state.kind === 'listening') return { kind: state.kind, address: state.address, port: state.port }
  if (state.kind !== 'failed') return { kind: state.kind }
  const { code, message } = state.error
  return { kind: state.kind, code, message }
}

function wordsOf(state: ListenerState): string {
  if (state.kind === 'listening') return `listens for web calls at ${state.address}:${state.port}`
  if (state.kind === 'failed') return `${state.error.message} It takes over once the address is free.`
  return 'listens for no web calls: no webhook is published'
}
