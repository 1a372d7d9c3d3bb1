/** What it takes to start other workflows from steps. */

import type { CallPreparer, CallPreparerParts } from './call-preparer.ts'
import { createCallPreparer } from './call-preparer.ts'
import type { VersionPins } from './version-pins.ts'
import { createVersionPins } from './version-pins.ts'

export interface Calls {
  readonly pins: VersionPins
  readonly preparer: CallPreparer
}

/** The calls of this engine's steps, with the versions that they are bound to. */
export function createCalls(parts: Omit<CallPreparerParts, 'pins'>): Calls {
  const pins = createVersionPins(parts)
  return { pins, preparer: createCallPreparer({ ...parts, pins }) }
}
