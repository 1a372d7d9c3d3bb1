/** What forms have to know about the engine: asked for when they are opened, and when the line comes back. */

import { useEffect, useState } from 'react'
import type { OutputOf } from '../../../src-engine/protocol/api.ts'
import { useConnectionState, useDesigner } from '../../state/context.ts'
import type { EngineFacts } from './usual-settings.ts'

const nothingKnown: EngineFacts = { reroutes: null, poolsByTopic: null }

export function useEngineFacts(): EngineFacts {
  const designer = useDesigner()
  const { status } = useConnectionState()
  const [facts, setFacts] = useState(nothingKnown)
  useEffect(() => {
    if (status !== 'open') return undefined
    let isShown = true
    const { call } = designer.connection
    void Promise.all([call('settings.list', {}), call('pools.list', {})])
      .then(([settings, pools]) => {
        if (isShown) setFacts(factsOf(settings, pools))
      })
      // Without an answer the form says less, and nothing wrong.
      .catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [designer, status])
  return facts
}

/** The facts in the engine's answers. Pure. */
export function factsOf(
  { settings }: Pick<OutputOf<'settings.list'>, 'settings'>,
  { pools }: OutputOf<'pools.list'>,
): EngineFacts {
  const reroutes = settings.find(({ name }) => name === 'reroute_on_concurrency_control')?.value
  const poolsByTopic = new Map<string, readonly string[]>()
  for (const { name, topics } of pools) {
    for (const topic of topics) poolsByTopic.set(topic, [...(poolsByTopic.get(topic) ?? []), name])
  }
  return { reroutes: typeof reroutes === 'boolean' ? reroutes : null, poolsByTopic }
}
