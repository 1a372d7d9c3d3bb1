/**
 * Entry of the sandbox process: takes one request, runs its code in QuickJS, answers, and ends. It talks
 * through Electron's parent port where there is one, else through its standard streams.
 */

import { newQuickJSWASMModule } from 'quickjs-emscripten'
import { openParentLine } from '../parent-line.ts'
import { runGuest } from './guest.ts'
import type { SandboxMessage, SandboxRequest } from './sandbox-message.ts'

const line = openParentLine()
const send = (message: SandboxMessage) => line.send(JSON.stringify(message))

const module = await newQuickJSWASMModule()
line.onText((text) => {
  // The engine wrote it; nobody else has this end of the line.
  const request = JSON.parse(text) as SandboxRequest
  send(runGuest(module, request, { send, elapsedMs: () => performance.now() }))
  // On POSIX a pipe is written before this returns; a broken QuickJS must not get the chance to run on.
  process.exitCode = 0
  line.close()
})
send({ kind: 'ready' })
