/** What people read about moving the canvas. */

export const navigationWords = {
  title: 'The canvas',
  label: 'Mouse and trackpad',
  ways: {
    trackpad: 'As with a trackpad',
    mouse: 'As with a mouse',
    drawing: 'As in drawing programs',
    modelling: 'As in 3D programs',
  },
  hints: {
    trackpad:
      'Scrolling moves the canvas, a pinch or Ctrl and scrolling zooms. A drag moves it, with Shift it selects.',
    mouse: 'The wheel zooms. A drag moves the canvas, with Shift it selects.',
    drawing:
      'Scrolling moves the canvas, a pinch or Ctrl and scrolling zooms. A drag selects; with Space or the middle button it moves the canvas.',
    modelling: 'The wheel zooms. A drag selects; with Space or the middle button it moves the canvas.',
  },
} as const
