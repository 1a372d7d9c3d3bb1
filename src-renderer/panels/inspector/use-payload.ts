/** The JSON text of a payload: at once when it is small, on demand when it is not. */

import { useCallback, useEffect, useState } from 'react'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import { isFleeting } from '../../../src-engine/model/payload.ts'
import { useDesigner, useLine } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'

export interface LoadedPayload {
  /** Null while it isn't there (yet). */
  readonly json: string | null
  readonly load: () => void
  /** It was not to be kept, and has gone. */
  readonly isGone: boolean
}

/** `isWanted` loads a large one without being asked. */
export function usePayload(payload: Payload | null, isWanted: boolean): LoadedPayload {
  const designer = useDesigner()
  const line = useLine()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const load = useCallback(() => {
    if (payload === null || payload.kind !== 'blob') return
    void attempt(designer, async () => {
      try {
        const { json } = await line.call('payloads.get', { payload })
        setLoaded({ hash: payload.hash, json })
      } catch (thrown) {
        if (recordOfThrown(thrown).code !== 'output_not_kept') throw thrown
        setLoaded({ hash: payload.hash, json: null })
      }
    })
  }, [designer, line, payload])
  // Whether it is still there is not for people to find out.
  const isLookedFor = isWanted || (payload !== null && isFleeting(payload))
  useEffect(() => {
    if (isLookedFor) load()
  }, [isLookedFor, load])
  const json = textOf(payload, loaded)
  return { json, load, isGone: json === null && payload?.kind === 'blob' && loaded?.hash === payload.hash }
}

interface Loaded {
  readonly hash: string
  /** Null for what has gone. */
  readonly json: string | null
}

function textOf(payload: Payload | null, loaded: Loaded | null): string | null {
  if (payload === null || payload.kind === 'sealed') return null
  if (payload.kind === 'inline') return payload.json
  return loaded?.hash === payload.hash ? loaded.json : null
}
