/** An icon that may become another one while it stays where it is. */

import type { LucideIcon, LucideProps } from 'lucide-react'
import type { ReactElement } from 'react'
import { createElement } from 'react'

/** What an icon is to React: it draws all of them by one component, each with its own shapes. */
interface Drawing {
  readonly render?: (props: LucideProps, ref: null) => ReactElement
}

/**
 * Draws an icon so that another one in its place has only other shapes. As components of their own they would have nothing in
 * common: a state that changes many times in a second would have a picture taken off the page and another one put there each
 * time, and the browser put all pieces of the page together anew.
 */
export function drawnIcon(icon: LucideIcon, props: LucideProps): ReactElement {
  // The type of a component doesn't tell what it is made of.
  const { render } = icon as unknown as Drawing
  return render === undefined ? createElement(icon, props) : render(props, null)
}
