/** The desktop app's offer to its pages; absent in a browser. */

import { errorOfRecord } from '../../src-engine/model/errors.ts'
import type { DesktopAnswer, DesktopApi } from '../../src-engine/protocol/desktop-api.ts'

declare global {
  interface Window {
    readonly sagasmithDesktop?: DesktopApi
  }
}

/** The bridge of the desktop app; null in a browser. */
export function findDesktop(): DesktopApi | null {
  return window.sagasmithDesktop ?? null
}

/** The value of an answer; throws its error as a SagasmithError. */
export async function answered<T>(answer: DesktopAnswer<T>): Promise<T> {
  const result = await answer
  if (result.ok) return result.value
  throw errorOfRecord(result.error)
}
