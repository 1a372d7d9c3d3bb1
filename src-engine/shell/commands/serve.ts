/** `serve`: the designer in a browser, on this machine only. */

import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { fileError } from '../atomic-file.ts'
import { openEngineHost } from '../engine-host.ts'
import { findResource } from '../resources.ts'
import type { ServeSession } from '../serve-session.ts'
import { endServeSession, readServeSession, writeServeSession } from '../serve-session.ts'
import type { RunningServer, ServerOptions } from '../server.ts'
import { startServer } from '../server.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'

export const serveCommand: Command = {
  usage: 'serve [FILE…] [--port N] [--data DIR] [--open] [--json]',
  summary: 'Serve the designer to a browser on this machine.',
  options: {
    port: { type: 'string' },
    open: { type: 'boolean' },
    'log-level': { type: 'string' },
  },
  optionHelp: [
    ['FILE…', 'workflow files outside of the workspace that the designer may open'],
    ['--port N', 'the port on 127.0.0.1 (default: a free one)'],
    ['--open', 'open the designer in the default browser'],
    ['--log-level LEVEL', 'debug, info, warn or error (default: info)'],
  ],
  positionals: { min: 0, max: 100 },
  run: async (context) => {
    const { settings } = context
    const { data, port } = settings.values
    const files = await filesOf(context.positionals)
    const stopped = interrupted(context)
    const host = await openEngineHost({
      dataDir: data,
      role: 'serve',
      mode: 'work',
      settings,
      canRunAtomicService: true,
    })
    try {
      for (const file of files) host.library.grant(file)
      const serve = (...args: Parameters<typeof host.serve>): void => void host.serve(...args)
      const { serveSession } = host.directory
      const server = await startOrGoOn(serveSession, {
        port,
        renderer: findResource('renderer'),
        metrics: { text: host.metricsText, token: settings.values.metricsToken },
        serve,
      })
      announce(context, { url: server.url, port: server.port, recovered: host.info.recoveredCount })
      if (context.flags['open'] === true) openBrowser(server.url)
      await stopped
      await server.close()
      await endServeSession(serveSession)
    } finally {
      await host.close()
    }
    return 0 satisfies ExitCode
  },
}

/** The files as paths; one that isn’t there ends the command before anything starts. */
function filesOf(given: readonly string[]): Promise<readonly string[]> {
  const look = async (file: string): Promise<string> => {
    const path = resolve(file)
    await stat(path).catch((cause: unknown) => {
      throw fileError(path, cause)
    })
    return path
  }
  return Promise.all(given.map(look))
}

/** Starts the server, where the one before it was killed at its address and with its token. */
async function startOrGoOn(sessionPath: string, options: ServerOptions): Promise<RunningServer> {
  const before = await readServeSession(sessionPath)
  const server = await goOn(before, options)
  await writeServeSession(sessionPath, server)
  return server
}

async function goOn(before: ServeSession | null, options: ServerOptions): Promise<RunningServer> {
  if (before === null) return startServer(options)
  const { port, token } = before
  if (options.port !== 0) return startServer(options.port === port ? { ...options, token } : options)
  try {
    return await startServer({ ...options, port, token })
  } catch (error) {
    // Another program has the port now.
    if (error instanceof SagasmithError && error.code === 'bad_request') return startServer(options)
    throw error
  }
}

interface Serving {
  readonly url: string
  readonly port: number
  readonly recovered: number
}

/** One line: other programs wait for it and take the address from it. */
function announce(context: CommandContext, serving: Serving): void {
  const { data } = context.settings.values
  if (context.json) {
    context.emit({ type: 'serving', ...serving, pid: process.pid, dataDirectory: data })
    return
  }
  const steps = serving.recovered === 1 ? 'step' : 'steps'
  const recovered = serving.recovered === 0 ? '' : ` (recovered ${serving.recovered} interrupted ${steps})`
  context.terminal.line(
    `Sagasmith is at ${serving.url} ${context.terminal.colors.dim(`with ${data}${recovered}`)}`,
  )
}

/** Resolves at the first Ctrl-C; the second one ends the process on the spot. */
function interrupted(context: CommandContext): Promise<void> {
  return new Promise((settle) => {
    let count = 0
    context.onInterrupt(() => {
      count += 1
      if (count > 1) process.exit(1)
      settle()
    })
  })
}

function openBrowser(url: string): void {
  const [program, args] = browserCommand(url)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  // Without a browser there is still the line with the address.
  child.on('error', () => undefined)
  child.unref()
}

function browserCommand(url: string): readonly [string, readonly string[]] {
  if (process.platform === 'darwin') return ['open', [url]]
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]]
  return ['xdg-open', [url]]
}
