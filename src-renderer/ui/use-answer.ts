/** An answer of the engine that is asked for once: when it is first needed, and when the line comes back. */

import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { InputOf, Method, OutputOf } from '../../src-engine/protocol/api.ts'
import { useLine } from '../state/context.ts'

/** Null until it came, and while nobody can be asked. */
export function useAnswer<M extends Method>(method: M, input: InputOf<M>): OutputOf<M> | null {
  const line = useLine()
  const { status } = useStore(line.state)
  const [answer, setAnswer] = useState<OutputOf<M> | null>(null)
  const text = JSON.stringify(input)
  useEffect(() => {
    if (status !== 'open') return undefined
    let isShown = true
    line
      // The text was made from an input of this method.
      .call(method, JSON.parse(text) as InputOf<M>)
      .then((next) => {
        if (isShown) setAnswer(next)
      })
      // What is shown then is what is shown without an answer.
      .catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [line, method, status, text])
  return answer
}
