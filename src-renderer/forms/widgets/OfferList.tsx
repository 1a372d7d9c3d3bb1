/** What completion offers, under its field. */

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
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no tag offers while a text field keeps the keyboard
    <div role="listbox" id={id} aria-label={words.title} className={styles['offers']}>
      {offer.options.map(({ label, detail, type }, index) => (
        <div
          key={label}
          ref={index === offer.index ? intoView : null}
          id={`${id}-${index}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- of the list above
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

/** The platform's answer is a promise in some browsers: nothing that React could clean up with. */
function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
