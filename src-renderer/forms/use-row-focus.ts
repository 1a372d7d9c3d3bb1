/**
 * The focus in a list of rows: who adds one writes into it at once, and who removes one is left beside it instead of
 * nowhere. Rows are marked with `data-row`, the buttons with `data-remove` and `data-add`.
 */

import type { MouseEvent } from 'react'
import { useLayoutEffect, useRef } from 'react'

type Wish = { readonly kind: 'added' } | { readonly kind: 'removed'; readonly at: number }

/** For the element around the rows and their buttons. */
export function useRowFocus<List extends HTMLElement>() {
  const ref = useRef<List>(null)
  const wish = useRef<Wish | null>(null)
  useLayoutEffect(() => {
    const wished = wish.current
    wish.current = null
    const list = ref.current
    if (wished === null || list === null) return
    const rows = rowsOf(list)
    const row = wished.kind === 'added' ? rows.at(-1) : rows[Math.min(wished.at, rows.length - 1)]
    const part = wished.kind === 'added' ? 'input, textarea, select, [data-writes]' : '[data-remove]'
    const found = row?.querySelector<HTMLElement>(part) ?? list.querySelector<HTMLElement>('[data-add]')
    found?.focus()
  })
  const onClickCapture = ({ target, currentTarget }: MouseEvent<List>): void => {
    const button = target instanceof Element ? target.closest('[data-add], [data-remove]') : null
    // Rows may hold lists of their own.
    if (button === null || button.closest('[data-rows]') !== currentTarget) return
    const at = rowsOf(currentTarget).findIndex((row) => row.contains(button))
    wish.current = button.matches('[data-add]') ? { kind: 'added' } : { kind: 'removed', at }
  }
  return { ref, onClickCapture, 'data-rows': '' }
}

const rowsOf = (list: Element): readonly Element[] =>
  [...list.querySelectorAll('[data-row]')].filter((row) => row.closest('[data-rows]') === list)
