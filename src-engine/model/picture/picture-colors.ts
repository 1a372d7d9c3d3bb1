/** The colors of exported pictures: those of the designer's own light and dark look. */

export type PictureTheme = 'light' | 'dark'

export interface PictureColors {
  readonly canvas: string
  readonly dot: string
  readonly card: string
  readonly cardLine: string
  readonly line: string
  readonly text: string
  readonly faint: string
  readonly edge: string
  readonly bad: string
  readonly note: string
  readonly noteLine: string
  readonly frame: string
  /** By category of a task kind; `unknown` for all others. */
  readonly categories: Readonly<Record<string, string>>
}

export const pictureColors: Readonly<Record<PictureTheme, PictureColors>> = {
  dark: {
    canvas: '#0d0f13',
    dot: '#323946',
    card: '#191d24',
    cardLine: '#2c323d',
    line: '#292d34',
    text: '#e9ecf2',
    faint: '#a3acbb',
    edge: '#4a5363',
    bad: '#ff6f74',
    note: '#2b2514',
    noteLine: '#514522',
    frame: '#8690a0',
    categories: {
      flow: '#b09bff',
      data: '#4fd1c0',
      files: '#e9b65c',
      network: '#62b2ff',
      code: '#ff8fb4',
      debug: '#a7b1c0',
      unknown: '#a7b1c0',
    },
  },
  light: {
    canvas: '#f4f5f7',
    dot: '#c2c9d4',
    card: '#ffffff',
    cardLine: '#d9dee6',
    line: '#e9ebee',
    text: '#171b24',
    faint: '#535d6e',
    edge: '#a4adbb',
    bad: '#b5232e',
    note: '#fff5d1',
    noteLine: '#ead79a',
    frame: '#5f6979',
    categories: {
      flow: '#6a4fd8',
      data: '#0b8577',
      files: '#8a5c06',
      network: '#0b6fc7',
      code: '#c03668',
      debug: '#566173',
      unknown: '#566173',
    },
  },
}
