/** Reads what nobody should see: piped in, or typed without being shown. Never from the command line. */

import { SagasmithError } from '../model/errors.ts'
import type { OutputStream } from './terminal.ts'

/** What is read from: the process's own input. */
export interface HiddenSource extends AsyncIterable<unknown> {
  readonly isTTY?: boolean
  readonly setRawMode?: (on: boolean) => unknown
  readonly resume?: () => unknown
  readonly pause?: () => unknown
  readonly on?: (event: 'data', listener: (chunk: Buffer | string) => void) => unknown
  readonly off?: (event: 'data', listener: (chunk: Buffer | string) => void) => unknown
}

export interface HiddenInput {
  readonly source: HiddenSource
  /** Where the question is asked; never where results go. */
  readonly prompt: OutputStream
}

/** The process's own. */
export const processInput = (): HiddenInput => ({ source: process.stdin, prompt: process.stderr })

const enter = new Set(['\r', '\n', '\u0004'])
const erase = new Set(['\u007f', '\b'])
const interrupt = '\u0003'

/**
 * One value: typed after the question where there is a terminal, else all that is piped in without its last
 * line break. Throws `bad_request` for more than `charsMax` characters.
 */
export async function readHidden(
  question: string,
  charsMax: number,
  { source, prompt }: HiddenInput = processInput(),
): Promise<string> {
  const typed = source.isTTY === true
  const text = typed ? await typedText(question, source, prompt) : await pipedText(source, charsMax)
  if (text.length <= charsMax) return text
  throw new SagasmithError('bad_request', {
    message: `That is longer than ${charsMax} characters.`,
    hint: 'Check what is piped in.',
  })
}

async function pipedText(source: HiddenSource, charsMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    const buffer = Buffer.from(chunk as Uint8Array | string)
    bytes += buffer.length
    // Four bytes are the most that a character takes; the rest needs no reading.
    if (bytes > charsMax * 4 + 2) break
    chunks.push(buffer)
  }
  // `echo` and editors end with a line break that belongs to nobody.
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

function typedText(question: string, source: HiddenSource, prompt: OutputStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const done = (finish: () => void): void => {
      source.off?.('data', hear)
      source.setRawMode?.(false)
      source.pause?.()
      prompt.write('\n')
      finish()
    }
    const hear = (chunk: Buffer | string): void => {
      for (const character of chunk.toString('utf8')) {
        if (character === interrupt) return done(() => reject(calledOff()))
        if (enter.has(character)) return done(() => resolve(text))
        text = erase.has(character) ? text.slice(0, -1) : text + character
      }
    }
    prompt.write(question)
    source.setRawMode?.(true)
    source.on?.('data', hear)
    source.resume?.()
  })
}

const calledOff = (): SagasmithError =>
  new SagasmithError('bad_request', { message: 'Called off.', hint: 'Nothing was changed.' })
