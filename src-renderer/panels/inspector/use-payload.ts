/** The JSON text of a payload: at once when it is small, on demand when it is not. */

import { useCallback, useEffect, useState } from 'react'
import type { Payload } from '../../../src-engine/model/payload.ts'
import { useDesigner, useLine } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'

export interface LoadedPayload {
  /** Null while it isn't there (yet). */
  readonly json: string | null
  readonly load: () => void
}

/** `isWanted` loads a large one without being asked. */
export function usePayload(payload: Payload | null, isWanted: boolean): LoadedPayload {
  const designer = useDesigner()
  const line = useLine()
  const [loaded, setLoaded] = useState<{ readonly hash: string; readonly json: string } | null>(null)
  const load = useCallback(() => {
    if (payload === null || payload.kind !== 'blob') return
    void attempt(designer, async () => {
      const { json } = await line.call('payloads.get', { payload })
      setLoaded({ hash: payload.hash, json })
    })
  }, [designer, line, payload])
  useEffect(() => {
    if (isWanted) load()
  }, [isWanted, load])
  if (payload === null) return { json: null, load }
  if (payload.kind === 'inline') return { json: payload.json, load }
  if (payload.kind === 'sealed') return { json: null, load }
  return { json: loaded?.hash === payload.hash ? loaded.json : null, load }
}
