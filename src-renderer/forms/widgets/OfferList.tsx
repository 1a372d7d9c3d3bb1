/** What completion offers, under its field. */

import { useEffect, useRef } from 'react'
import { completion as words } from '../../text/data-words.ts'
import styles from '../forms.module.css'
import type { Offer } from './use-text-completion.ts'

export function OfferList({
  id,
  offer,
  onChoose,
}: {
  readonly id: string
  readonly offer: Offer
  readonly onChoose: (offer: Offer) => void
}) {
  const current = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Its answer is a promise, which is nothing to clean up.
    void current.current?.scrollIntoView({ block: 'nearest' })
  }, [offer])
  return (
    <div role="listbox" id={id} aria-label={words.title} className={styles['offers']}>
      {offer.options.map(({ label, detail, type }, index) => (
        <div
          key={label}
          ref={index === offer.index ? current : null}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === offer.index}
          data-type={type}
          // The field keeps the keyboard.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose({ ...offer, index })
          }}
        >
          {label}
          <small>{detail}</small>
        </div>
      ))}
    </div>
  )
}
