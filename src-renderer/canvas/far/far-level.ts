/** When a workflow is drawn as one picture instead of as cards. Pure. */

/** Cards are a few millimetres wide below this: nothing of them can be read or pressed but as a whole. */
const farZoom = 0.3
/** The page draws so many cards without being late for a frame. */
const cardsMax = 400

/** Whether there are so many cards that the canvas is seen from further away than a few of them would be. */
export const isLarge = (cards: number): boolean => cards > cardsMax

/** Whether it is: from far away, and only when there are more cards than the page can move smoothly. */
export const isFarAt = (zoom: number, cards: number): boolean => zoom < farZoom && isLarge(cards)

/** The smallest zoom by hand; large workflows have room to be seen as a whole. */
export const zoomMin = (cards: number): number => (isLarge(cards) ? 0.02 : 0.1)
/** How near one may go. */
export const zoomMax = 2.5
