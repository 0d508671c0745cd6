/**
 * Layouts of small graphs and maps, and their SVG. Imports nothing, because it also runs in browsers (MCP Apps).
 *
 * - Takes: plain values: a `Neighbourhood`, a `Chain`, or an `Atlas` of regions and places.
 * - Gives: a `Picture` with coordinates, and its SVG as text (`svg`, `mapSvg`), with every label escaped.
 * - Refuses: nothing. Items beyond the limits (`MAX_NEIGHBOURS`, `MAX_TILES`) are drawn as one rest.
 * - Costs: time linear in what is drawn, at most a few milliseconds.
 */
export { fan } from './fan.js'
export { coloursOfTypes } from './legend.js'
export { type Atlas, type Heat, MAX_TILES, type MapPlace, mapSvg, type Region } from './map.js'
export { type Chain, pathChain } from './path-chain.js'
export type { Colour, Picture, PictureThing } from './picture.js'
export { MAX_NEIGHBOURS, type Neighbourhood, radial } from './radial.js'
export type { PictureNeighbour } from './sides.js'
export { svg } from './svg.js'
