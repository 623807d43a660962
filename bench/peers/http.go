// SPDX-License-Identifier: Apache-2.0

// Go's net/http: http PORT
package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	hello := []byte("Hello, World!")
	handler := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Write(hello)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(handler)))
}
