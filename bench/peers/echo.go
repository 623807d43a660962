// SPDX-License-Identifier: Apache-2.0

// Echoes: echo_go PORT|version
package main

import (
	"fmt"
	"net"
	"os"
	"runtime"
)

func serve(peer net.Conn) {
	defer peer.Close()
	buffer := make([]byte, 1<<14)
	for {
		count, err := peer.Read(buffer)
		if err != nil {
			return
		}
		if _, err = peer.Write(buffer[:count]); err != nil {
			return
		}
	}
}

func main() {
	if os.Args[1] == "version" {
		fmt.Println(runtime.Version())
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		panic(err)
	}
	for {
		peer, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		go serve(peer)
	}
}
