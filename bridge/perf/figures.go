package main

// figures are the rows of the page, in its order.
var figures = []figure{}
