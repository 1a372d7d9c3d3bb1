/** Completion inside the braces of a text field: what is offered, which is chosen, and what keys do with it. */

import type { KeyboardEvent, RefObject } from 'react'
import { useRef, useState } from 'react'
import type { CompletionOption } from '../completion.ts'
import { completionsAt } from '../completion.ts'
import { useCompletion } from '../use-completion.ts'

export interface Offer {
  readonly options: readonly CompletionOption[]
  readonly index: number
  /** The part of the text that the chosen one replaces. */
  readonly from: number
  readonly to: number
}

const offeredMax = 60

export function useTextCompletion(input: RefObject<HTMLTextAreaElement | null>, takesSecrets: boolean) {
  const means = useCompletion({ takesSecrets })
  const [offer, setOffer] = useState<Offer | null>(null)
  const asked = useRef(0)
  /** Looks at what stands before the cursor. */
  const look = (): void => {
    const element = input.current
    asked.current += 1
    const own = asked.current
    const to = element?.selectionStart ?? 0
    const before = element?.value.slice(0, to) ?? ''
    const open = before.lastIndexOf('{{')
    if (open === -1 || open < before.lastIndexOf('}}')) {
      setOffer(null)
      return
    }
    const start = open + 2
    void completionsAt(before.slice(start), means).then((found) => {
      if (own !== asked.current) return
      const options = found?.options.slice(0, offeredMax) ?? []
      setOffer(found === null ? null : { options, index: 0, from: start + found.from, to })
    })
  }
  const close = (): void => {
    asked.current += 1
    setOffer(null)
  }
  const choose = ({ options, index, from, to }: Offer): void => {
    const element = input.current
    const option = options[index]
    close()
    if (element === null || option === undefined) return
    element.focus()
    element.setRangeText(option.apply ?? option.label, from, to, 'end')
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }
  /** Whether the key was meant for what is offered. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (offer === null || event.ctrlKey || event.metaKey || event.altKey) return false
    const { options, index } = offer
    const go = (step: number) =>
      setOffer({ ...offer, index: (index + step + options.length) % options.length })
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(1),
      ArrowUp: () => go(-1),
      Enter: () => choose(offer),
      Escape: close,
      Tab: close,
    }
    const act = acts[event.key]
    act?.()
    // Tab goes on to the next field.
    if (act === undefined || event.key === 'Tab') return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { offer, look, close, choose, onKeyDown }
}
