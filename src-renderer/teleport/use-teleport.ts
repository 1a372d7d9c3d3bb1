/** What the engine says of a copy on one of its versions; asked again when something else is chosen. */

import { useEffect, useState } from 'react'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import { useDesigner } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import type { Choice } from '../state/teleport.ts'

/** Both are null until it was answered. */
export interface Told<T> {
  readonly value: T | null
  readonly error: ErrorRecord | null
}

const untold = { value: null, error: null }

/** `ask` must be the same function on every draw. */
export function useTeleport<T>(
  ask: (designer: Designer, run: PulledRun, choice: Choice) => Promise<T>,
  run: PulledRun,
  { version, nodeId }: Choice,
): Told<T> {
  const designer = useDesigner()
  const [told, setTold] = useState<(Told<T> & { readonly of: Choice }) | null>(null)
  useEffect(() => {
    let isShown = true
    const tell = (next: Told<T>): void => {
      if (isShown) setTold({ ...next, of: { version, nodeId } })
    }
    ask(designer, run, { version, nodeId })
      .then((value) => tell({ value, error: null }))
      .catch((thrown: unknown) => tell({ value: null, error: recordOfThrown(thrown) }))
    return () => {
      isShown = false
    }
  }, [designer, ask, run, version, nodeId])
  return told?.of.version === version && told.of.nodeId === nodeId ? told : untold
}
