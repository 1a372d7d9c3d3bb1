/** How much room the cards at the canvas' left edge take from what is fitted beside them. Pure. */

/** The distance between the canvas' edge and the cards. */
const edgeGap = 12
/** As wide as the cards' words need. */
const triggerCardWidth = 248
/** In a canvas narrower than this, cards are tiles. */
const narrowBelow = 680
const tileWidth = 46
/** Room for wires between the cards and the first nodes. */
const wireRoom = 56
/** What is left free where there are no cards. */
const bare = 48

/** The pixels that stay free at the left of what is fitted. */
export function edgeRoom(cardCount: number, frameWidth: number): number {
  if (cardCount === 0) return bare
  return edgeGap + (frameWidth < narrowBelow ? tileWidth : triggerCardWidth) + wireRoom
}
