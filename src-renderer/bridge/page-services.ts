/** Clock, timers, ids, memory and files of a real page: the only place that touches them. */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { DesktopApi } from '../../src-engine/protocol/desktop-api.ts'
import type { Ambient, FileExchange, Memory, Pages } from '../state/services.ts'
import { asideWords } from '../text/aside-words.ts'
import { wantsStillness } from '../ui/still.ts'
import { answered } from './desktop.ts'

/** A page in the background draws no frames; its events still have to be applied. */
const hiddenFrameMs = 50

export const browserAmbient: Ambient = {
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  onFrame: (call) => {
    if (document.hidden) setTimeout(call, hiddenFrameMs)
    else requestAnimationFrame(call)
  },
  digest,
  prefersStillness: wantsStillness,
}

/** By the browser's own hand, off the page's thread; a page from elsewhere without TLS is given no such hand. */
async function digest(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  if (!isSecureContext) return bytesToHex(sha256(bytes))
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

export const browserMemory: Memory = {
  read: (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage is switched off: nothing is remembered.
      return null
    }
  },
  write: (key, text) => {
    try {
      localStorage.setItem(key, text)
    } catch {
      // Full or switched off: the view is not remembered, nothing else is lost.
    }
  },
}

const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  ts: 'text/typescript',
  svg: 'image/svg+xml',
  png: 'image/png',
}

const browserExchange: FileExchange = {
  download: async (name, content) => {
    // The bytes are ours alone: nothing shares their memory.
    const part = typeof content === 'string' ? content : (content as Uint8Array<ArrayBuffer>)
    const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const url = URL.createObjectURL(new Blob([part], { type }))
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    URL.revokeObjectURL(url)
    return true
  },
  pick: () =>
    new Promise((resolve) => {
      const input = document.createElement('input')
      input.type = 'file'
      input.accept = '.json,.ts,.svg,.png,.sagarun,application/json'
      input.addEventListener('cancel', () => resolve(null))
      input.addEventListener('change', () => {
        const file = input.files?.[0]
        if (file === undefined) resolve(null)
        else void file.bytes().then((bytes) => resolve({ name: file.name, bytes }))
      })
      input.click()
    }),
}

/** Files of this page: in the desktop app its own dialog says where they go, and the page downloads nothing. */
export function exchangeOf(desktop: DesktopApi | null): FileExchange {
  if (desktop === null) return browserExchange
  const download: FileExchange['download'] = (name, content) =>
    answered(desktop.handOverFile({ name, content }))
  return { ...browserExchange, download }
}

/** Its pages of one address hear each other, in a browser and in the windows of the app alike. */
export function browserPages(): Pages {
  const channel = new BroadcastChannel('sagasmith.asides')
  return {
    open: (address) => {
      if (window.open(address, '_blank', 'popup,width=1180,height=820') === null)
        throw new SagasmithError('bad_request', asideWords.blocked)
    },
    tell: (text) => channel.postMessage(text),
    onTold: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') listener(data)
      })
    },
  }
}
